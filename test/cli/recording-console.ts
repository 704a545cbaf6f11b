import type { Console } from '../../src/cli/console.ts';

/** A console that remembers: what went to stdout and stderr, and every drawing. */
export function createRecordingConsole({ isTerminal = false, width = 80 } = {}) {
  const heard = { stdout: '', stderr: '', drawn: [] as (readonly string[])[] };
  const console: Console = {
    async data(text) {
      heard.stdout += text;
      return true;
    },
    say(text) {
      heard.stderr += text.endsWith('\n') ? text : `${text}\n`;
    },
    redraw: (lines) => heard.drawn.push(lines),
    isTerminal,
    width: () => width,
  };
  return { console, heard };
}
