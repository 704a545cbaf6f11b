import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isStartedByNpx } from '../app/config/started-by-npm.ts';
import type { Config } from '../app/config.ts';

/** How a command is given where the program runs. The package holds the compiled program without its sources. */
export const ownCommand = existsSync(fileURLToPath(import.meta.url))
  ? 'npm run --silent pricebook --'
  : isStartedByNpx()
    ? 'npx pricebook'
    : 'pricebook';

/** As a message that is kept or sent elsewhere names a command, between backticks. */
const namedCommand = /(?<=`(?:[A-Z_]+=\S* )*)pricebook(?= [^`\n]*`)/g;

/** A message with each command that it names between backticks as a person gives it here. */
export function withOwnCommand(text: string, own = ownCommand): string {
  return text.replace(namedCommand, () => own);
}

/**
 * How a command is given, in the words of a hint for another terminal: with PRICEBOOK_HOME where the environment sets
 * it.
 */
export function commandHint({ settings }: Pick<Config, 'settings'>): string {
  const home = settings.find(({ name, origin }) => name === 'PRICEBOOK_HOME' && origin === 'environment');
  return `${home?.value ? `PRICEBOOK_HOME=${quoted(home.value)} ` : ''}${ownCommand}`;
}

/** As a shell takes it. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
