import { stripVTControlCharacters } from 'node:util';
import { Help } from 'commander';

/** Removes control sequences and bidirectional control characters from foreign text. Line breaks stay. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[^\P{Cc}\n\t]+/gu, ' ')
    .replace(/\p{Bidi_Control}/gu, '');
}

/** Characters of a line; unlimited where the stream is no terminal and no shell states its width. */
export const widthOf = (stream: NodeJS.WriteStream): number =>
  // biome-ignore lint/style/noProcessEnv: a shell states the width there, also for a pipe.
  stream.columns ?? (Number(process.env['COLUMNS']) || Number.POSITIVE_INFINITY);

/** Breaks lines at words, but no command between backticks, so that it can be copied. */
export function wrapped(text: string, most: number): string {
  if (most === Number.POSITIVE_INFINITY) return text;
  const whole = text.replace(/`[^`\n]*`/g, (command) => command.replaceAll(' ', '\0'));
  return new Help().boxWrap(whole, most).replaceAll('\0', ' ');
}
