import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { RegionCode, regionCodes } from '../model/index.ts';

/** `uk` or `ie`. */
export function readRegion(text: string): RegionCode {
  const region = RegionCode.safeParse(text);
  if (!region.success) throw new InvalidArgumentError(`Known regions are ${regionCodes.join(' and ')}.`);
  return region.data;
}

/** The same, repeatable. */
export function addRegion(text: string, before: readonly RegionCode[] | undefined): readonly RegionCode[] {
  return [...new Set([...(before ?? []), readRegion(text)])];
}

/** `YYYY-MM-DD`, a day the calendar has. */
export function readDate(text: string): string {
  if (!z.iso.date().safeParse(text).success) throw new InvalidArgumentError('It must be a date such as 2026-03-01.');
  return text;
}

/** An instant with its offset; a date alone is the beginning of that night, 02:00 UTC, which is on that date in both regions. */
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
export function oneOf<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const found = words.find((word) => word === text);
    if (found === undefined) throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`);
    return found;
  };
}
