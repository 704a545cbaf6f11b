import { InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { UsageInvalid } from '../base/errors.ts';
import { RegionCode } from '../base/model/index.ts';
import { DateParameter, faultOf } from '../questions/parameters.ts';
import type { TypedOption } from './define-verb.ts';

export const flag = (flags: string, about: string) => new Option(flags, about) as TypedOption<boolean | undefined>;

/** An option with a value, which is missing if it is not given. */
export const option = <Value>(flags: string, about: string, read: (text: string, before: Value | undefined) => Value) =>
  new Option(flags, about).argParser(read) as TypedOption<Value | undefined>;

export const required = <Value>(flags: string, about: string, read: (text: string) => Value) =>
  new Option(flags, about).argParser(read).makeOptionMandatory() as TypedOption<Value>;

/** An option with a default. */
export const preset = <Value>(value: Value, flags: string, about: string, read: (text: string) => Value) =>
  new Option(flags, about).argParser(read).default(value) as TypedOption<Value>;

/** Parser of an option value from a zod schema. */
export function reads<Value>(schema: z.ZodType<Value>): (text: string) => Value {
  return (text) => {
    const { error, data } = schema.safeParse(text);
    if (error) throw new InvalidArgumentError(`It ${faultOf(error.issues[0]!)}.`);
    return data!;
  };
}

/** `uk` or `ie`. */
export const readRegion = reads(RegionCode);

/** `uk` or `ie`, repeatable. */
export function addRegion(text: string, before: readonly RegionCode[] | undefined): readonly RegionCode[] {
  return [...new Set([...(before ?? []), readRegion(text)])];
}

export const readDate = reads(DateParameter);

/** An instant with its offset. A date alone means 02:00 UTC, which falls on that date in both regions. */
export function readInstant(text: string): Date {
  if (z.iso.date().safeParse(text).success) return new Date(`${text}T02:00:00Z`);
  if (!z.iso.datetime({ offset: true }).safeParse(text).success) {
    throw new InvalidArgumentError('It must be an instant such as 2026-03-01T02:00:00Z, or a date.');
  }
  return new Date(text);
}

/** Parser of a whole number within bounds. */
export function wholeNumber(least: number, most = 1_000_000_000): (text: string) => number {
  const range = most === 1_000_000_000 ? `of at least ${least}` : `from ${least} to ${most}`;
  const fault = `must be a whole number ${range}`;
  const digits = z.string().regex(/^\d{1,10}$/, fault);
  return reads(digits.transform(Number).pipe(z.number().min(least, fault).max(most, fault)));
}

export const maxDetailsOption = () =>
  preset(
    200,
    '--max-details <n>',
    'product details to request per region and night, beside those that check missing products',
    wholeNumber(0),
  );

/** Throws `UsageInvalid` if a period ends before it begins. */
export function refuseReversed(from: string | null | undefined, to: string | null | undefined): void {
  if (from && to && from > to) throw new UsageInvalid(`--from ${from} is after --to ${to}.`);
}

/** `--release RUN --why TEXT`; undefined: neither is given. Throws `UsageInvalid` for one without the other. */
export function releaseOf({ release, why }: { readonly release?: number; readonly why?: string }) {
  if (release !== undefined && why !== undefined) return { runId: release, why };
  if (release === undefined && why === undefined) return undefined;
  throw new UsageInvalid('--release RUN and --why TEXT go together: the certificate stores the reason of a release.');
}

const DecimalText = z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be a number, such as 5 or 0.5');
export const readNumber = reads(DecimalText.transform(Number));
