import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';

/** The package holds the compiled program without its sources. */
const isCheckout = existsSync(fileURLToPath(import.meta.url));

/** How a command is given where the program runs, in the words of a hint: with PRICEBOOK_HOME where the environment sets it. */
export function commandHint({ settings }: Pick<Config, 'settings'>): string {
  const home = settings.find(({ name, origin }) => name === 'PRICEBOOK_HOME' && origin === 'environment');
  const prefix = home?.value ? `PRICEBOOK_HOME=${quoted(home.value)} ` : '';
  return `${prefix}${isCheckout ? 'npm run --silent pricebook --' : 'pricebook'}`;
}

/** As a shell takes it. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
