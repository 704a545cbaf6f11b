import { number } from '../words.ts';

/** `500 g`, `6 pieces`. */
export function packSize(amount: string, unit: string): string {
  return unit === 'each' ? `${number(amount)} pieces` : `${number(amount)} ${unit}`;
}
