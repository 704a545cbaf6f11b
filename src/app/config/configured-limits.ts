import { z } from 'zod';
import type { LimitWindow } from '../../gateway/limits/terms.ts';

/** `100/minute; 1000/hour; 5000/day`, each window at most once. */
export const LimitWindows = z
  .string()
  .regex(
    /^\s*\d{1,9}\s*\/\s*(minute|hour|day)\s*(;\s*\d{1,9}\s*\/\s*(minute|hour|day)\s*)*$/,
    'must be limits such as 100/minute; 1000/hour; 5000/day',
  )
  .transform((text) => text.split(';').map((part) => part.split('/').map((word) => word.trim())))
  .refine((parts) => new Set(parts.map(([, window]) => window)).size === parts.length, 'names a window twice')
  .refine((parts) => parts.every(([units]) => Number(units) > 0), 'must not contain a limit of 0')
  .transform((parts) =>
    parts.map(([units, window]): LimitWindow => ({ windowMs: windowsMs[window!]!, units: Number(units) })),
  );

const windowsMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Units per request by endpoint: `uk-product-details=2; store-list=5`. */
export const Weights = z
  .string()
  .regex(
    /^\s*[a-z0-9-]+\s*=\s*[1-9]\d{0,3}\s*(;\s*[a-z0-9-]+\s*=\s*[1-9]\d{0,3}\s*)*$/,
    'must be weights of endpoints such as uk-product-details=2; store-list=5',
  )
  .transform(namedNumbers);

function namedNumbers(text: string): Record<string, number> {
  return Object.fromEntries(
    text.split(';').map((part) => {
      const [name, value] = part.split('=').map((word) => word.trim());
      return [name, Number(value)];
    }),
  );
}
