import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { RegionCode } from '../base/model/index.ts';
import { DateParameter, faultOf } from '../questions/parameters.ts';

/** Reads a value as a schema does. */
export function reads<Value>(schema: z.ZodType<Value>): (text: string) => Value {
  return (text) => {
    const { error, data } = schema.safeParse(text);
    if (error) throw new InvalidArgumentError(`It ${faultOf(error.issues[0]!)}.`);
    return data!;
  };
}

/** `uk` or `ie`. */
export const readRegion = reads(RegionCode);

/** The same, repeatable. */
export function addRegion(text: string, before: readonly RegionCode[] | undefined): readonly RegionCode[] {
  return [...new Set([...(before ?? []), readRegion(text)])];
}

/** `YYYY-MM-DD`, a day the calendar has. */
export const readDate = reads(DateParameter);

/**
 * An instant with its offset; a date alone is the beginning of that night, 02:00 UTC, which is on that date in both
 * regions.
 */
export function readInstant(text: string): Date {
  if (z.iso.date().safeParse(text).success) return new Date(`${text}T02:00:00Z`);
  if (!z.iso.datetime({ offset: true }).safeParse(text).success) {
    throw new InvalidArgumentError('It must be an instant such as 2026-03-01T02:00:00Z, or a date.');
  }
  return new Date(text);
}

/** A whole number within bounds. */
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

/** A decimal number, not negative. */
export function readNumber(text: string): number {
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(text)) throw new InvalidArgumentError('It must be a number, such as 5 or 0.5.');
  return Number(text);
}

/** One of some words. */
export const oneOf = <const Word extends string>(words: readonly Word[]) => reads(z.enum(words as [Word, ...Word[]]));
