import { InvalidArgumentError } from 'commander';

/** Reads the value of an option that is a whole number. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
