import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Config } from '../app/config.ts';

/**
 * Command that starts the program in this installation. An installed package contains the compiled program without
 * sources.
 */
export const ownCommand = existsSync(fileURLToPath(import.meta.url)) ? 'npm run --silent pricebook --' : 'pricebook';

/** A command between backticks, as in messages that are stored or sent elsewhere. */
const namedCommand = /(?<=`(?:[A-Z_]+=\S* )*)pricebook(?= [^`\n]*`)/g;

/** Replaces commands between backticks with the command of this installation. */
export function withOwnCommand(text: string, own = ownCommand): string {
  return text.replace(namedCommand, () => own);
}

/** Command for hints, with PRICEBOOK_HOME if the environment sets it. */
export function commandHint({ settings }: Pick<Config, 'settings'>): string {
  const home = settings.find(({ name, origin }) => name === 'PRICEBOOK_HOME' && origin === 'environment');
  return `${home?.value ? `PRICEBOOK_HOME=${quoted(home.value)} ` : ''}${ownCommand}`;
}

/** Quotes a text for the shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
