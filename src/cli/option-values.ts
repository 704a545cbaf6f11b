import { InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { RegionCode } from '../base/model/index.ts';
import { DateParameter, faultOf } from '../questions/parameters.ts';

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

/** A valid calendar date as `YYYY-MM-DD`. */
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
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) {
      throw new InvalidArgumentError(
        `It must be a whole number ${most === 1_000_000_000 ? `of at least ${least}` : `from ${least} to ${most}`}.`,
      );
    }
    return value;
  };
}

/** `--max-details`. */
export function maxDetailsOption(): Option {
  const about = 'product details to request per region and night, beside those that check missing products';
  return new Option('--max-details <n>', about).argParser(wholeNumber(0)).default(200);
}

/** Non-negative decimal number. */
export function readNumber(text: string): number {
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(text)) throw new InvalidArgumentError('It must be a number, such as 5 or 0.5.');
  return Number(text);
}

/** Parser of one of several words. */
export const oneOf = <const Word extends string>(words: readonly Word[]) => reads(z.enum(words as [Word, ...Word[]]));
