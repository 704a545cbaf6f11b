import { once } from 'node:events';
import { withOwnCommand } from './hint.ts';
import { plainText } from './output/plain-text.ts';

/** Where a command speaks: data goes to stdout, everything else to stderr. */
export interface Console {
  /**
   * Writes data. Resolves when more may come; false once nobody reads any more (`| head`) or the command was asked to
   * end.
   */
  data(text: string): Promise<boolean>;
  /** One or more whole lines for the person at the terminal, commands in them as they are given here. */
  say(text: string): void;
  /**
   * Replaces the lines that are redrawn at the bottom of the terminal; none: what is there stays. Nothing elsewhere.
   */
  redraw(lines: readonly string[]): void;
  /** stderr is a terminal that can be redrawn. */
  readonly isTerminal: boolean;
  /** Characters in a line of the terminal. */
  width(): number;
  /** Characters in a line of what data are written to; null: any number, nobody looks at a screen. */
  dataWidth(): number | null;
}

/** `columns`: the width that a person asked for, whatever stdout is. */
export function createConsole(
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
  signal: AbortSignal,
  columns: number | null = null,
): Console & {
  /** Data could not be written, for another reason than that nobody reads them; it has been said. */
  hasFailed(): boolean;
} {
  const isTerminal = Boolean(stderr.isTTY);
  let isReadBy = true;
  let isRefused = false;
  let drawn: readonly string[] = [];
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && isReadBy) {
      isRefused = true;
      say(`pricebook: cannot write to stdout: ${reasonOf(error)}`);
    }
    isReadBy = false;
  });
  // Without a terminal to complain to, the exit code still says how it went.
  stderr.on('error', () => undefined);

  const draw = (above: string, lines: readonly string[]) => {
    const up = drawn.length > 0 ? `\x1b[${drawn.length}A\x1b[0J` : '';
    stderr.write(`${up}${above}${lines.map((line) => `${line}\n`).join('')}`);
    drawn = lines;
  };

  const say = (text: string) => {
    const plain = withOwnCommand(plainText(text));
    draw(plain.endsWith('\n') ? plain : `${plain}\n`, drawn);
  };

  return {
    isTerminal,
    hasFailed: () => isRefused,
    width: () => stderr.columns || 80,
    dataWidth: () => columns ?? (stdout.isTTY ? stdout.columns || 80 : null),
    async data(text) {
      if (!isReadBy || signal.aborted) return false;
      if (!stdout.write(text)) await room(stdout);
      return isReadBy && !signal.aborted;
    },
    say,
    redraw(lines) {
      if (!isTerminal) return;
      if (lines.length > 0) draw('', lines);
      else drawn = [];
    },
  };
}

/**
 * Resolves once the stream takes more, or is closed. Leaves no listener behind: a long table waits here thousands of
 * times.
 */
async function room(stdout: NodeJS.WriteStream): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(stdout, 'drain', { signal }), once(stdout, 'close', { signal })]).catch(() => undefined);
  over.abort();
}

/** `no space left on device`, of `ENOSPC: no space left on device, write`. */
function reasonOf({ code, syscall, message }: NodeJS.ErrnoException): string {
  return message.replace(`${code}: `, '').replace(`, ${syscall}`, '');
}
