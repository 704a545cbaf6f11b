import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Where samples of real data lie when this checkout has them beside it; null when it has none. */
export function samplesFolder(): string | null {
  const folder = resolve(import.meta.dirname, '../../../shared/samples');
  return existsSync(folder) ? folder : null;
}
