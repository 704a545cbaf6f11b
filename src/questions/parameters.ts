import { z } from 'zod';
import { RegionCode, regionCodes } from '../model/index.ts';

/** A date of the calendar, `2026-03-01`. */
export const DateParameter = z.iso
  .date('must be a date such as 2026-03-01')
  // A year that the calendar of ISO 8601 has, and PostgreSQL has not.
  .refine((date) => !date.startsWith('0000'), 'must be a date such as 2026-03-01')
  .meta({ description: 'A date' });

export const dateAbout = (description: string) =>
  DateParameter.optional().meta({ description: `YYYY-MM-DD; ${description}` });

export const Since = dateAbout('from this night on (default: all nights)');
export const Until = dateAbout('up to this night (default: all nights)');

export const EitherRegion = RegionCode.optional().meta({ description: 'uk or ie (default: both)' });

/** Several regions, joined by commas. A parameter whose default is a list may be repeated. */
export const Regions = z
  .string()
  .transform((text) => [...new Set(text.split(','))])
  .pipe(z.array(RegionCode))
  .default([...regionCodes])
  .meta({ description: 'uk or ie; may be repeated (default: both)' });

/** A parameter that is false by default is an option without a value. */
export const flag = (description: string) =>
  z
    .literal('yes')
    .optional()
    .transform((given) => given === 'yes')
    .meta({ description });

/** One of some words, or none. */
export const choice = <const Words extends readonly [string, ...string[]]>(words: Words, description: string) =>
  z
    .enum(words)
    .optional()
    .meta({ description: `${description}: ${words.join(', ')}` });

/** A category by its name, path or id; its keys are looked up. */
export const categoryAbout = (description: string) =>
  z
    .string()
    .max(500, 'must have at most 500 characters')
    .optional()
    .meta({ description: `${description}: its name, path or id` });

export const ProductParameter = z
  .string()
  .trim()
  .max(2_000, 'must have at most 2000 characters')
  .optional()
  .meta({ description: 'this product only: its id, or the address of its page' });

export const wholeNumber = (least: number, most: number) => {
  const fault = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number(fault).int(fault).min(least, fault).max(most, fault);
};

/** What is wrong with a value: `must be …`. */
export function faultOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_value' ? `must be one of ${issue.values.join(', ')}` : issue.message;
}
