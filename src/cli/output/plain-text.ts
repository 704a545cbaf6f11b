import { stripVTControlCharacters } from 'node:util';

/**
 * A text of others as a terminal may be given it: nothing in it steers the terminal or turns round what stands after
 * it. Lines stay lines.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[^\P{Cc}\n\t]+/gu, ' ')
    .replace(/\p{Bidi_Control}/gu, '');
}
