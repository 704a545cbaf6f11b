import type { Config } from '../config.ts';

/** How a command is given in a checkout, in the words of a hint: with PRICEBOOK_HOME where the environment sets it. */
export function commandHint({ settings }: Pick<Config, 'settings'>): string {
  const home = settings.find(({ name, origin }) => name === 'PRICEBOOK_HOME' && origin === 'environment');
  const prefix = home?.value ? `PRICEBOOK_HOME=${quoted(home.value)} ` : '';
  return `${prefix}npm run --silent pricebook --`;
}

/** As a shell takes it. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
