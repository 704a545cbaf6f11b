import { stripVTControlCharacters } from 'node:util';

/** Removes control sequences and bidirectional control characters from foreign text. Line breaks stay. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[^\P{Cc}\n\t]+/gu, ' ')
    .replace(/\p{Bidi_Control}/gu, '');
}
