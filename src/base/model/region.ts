import { z } from 'zod';

/** A country's catalogue: `uk` or `ie`. */
export const RegionCode = z.enum(['uk', 'ie']);
export type RegionCode = z.infer<typeof RegionCode>;

export interface Region {
  readonly code: RegionCode;
  readonly name: string;
  /** ISO 4217. Payloads contain no currency, so it follows from the region. */
  readonly currency: 'GBP' | 'EUR';
  /** IANA zone of snapshot dates and promotion dates. */
  readonly timeZone: string;
}

export const regions: Readonly<Record<RegionCode, Region>> = {
  uk: { code: 'uk', name: 'United Kingdom', currency: 'GBP', timeZone: 'Europe/London' },
  ie: { code: 'ie', name: 'Ireland', currency: 'EUR', timeZone: 'Europe/Dublin' },
};

export const regionCodes: readonly RegionCode[] = RegionCode.options;
