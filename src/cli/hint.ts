import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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
