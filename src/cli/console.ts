import { once } from 'node:events';
import { withOwnCommand } from './hint.ts';
import { plainText, widthOf, wrapped } from './output/plain-text.ts';

/** Output of a command: data goes to stdout, everything else to stderr. */
export type Console = Omit<ReturnType<typeof createConsole>, 'hasFailed'>;

export function createConsole(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream, signal: AbortSignal) {
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
  // If stderr is gone, the exit code still reports the result.
  stderr.on('error', () => undefined);

  const draw = (above: string, lines: readonly string[]) => {
    const up = drawn.length > 0 ? `\x1b[${drawn.length}A\x1b[0J` : '';
    stderr.write(`${up}${above}${lines.map((line) => `${line}\n`).join('')}`);
    drawn = lines;
  };

  /** Prints whole lines to stderr. Commands in backticks are shown as they have to be typed in this installation. */
  const say = (text: string): void => {
    const plain = wrapped(withOwnCommand(plainText(text)), widthOf(stderr));
    draw(plain.endsWith('\n') ? plain : `${plain}\n`, drawn);
  };

  return {
    /** Whether stderr is a terminal, and its width in characters. */
    isTerminal,
    width: () => stderr.columns || 80,
    /** Whether writing data failed for another reason than a closed pipe. The error has been printed. */
    hasFailed: () => isRefused,
    /**
     * Writes data. Resolves when the stream accepts more; false if the reader closed the pipe (`| head`) or the command
     * was asked to stop.
     */
    async data(text: string): Promise<boolean> {
      if (!isReadBy || signal.aborted) return false;
      if (!stdout.write(text)) await room(stdout);
      return isReadBy && !signal.aborted;
    },
    say,
    /** Replaces the progress lines at the bottom of a terminal. An empty list leaves the current lines in place. */
    redraw(lines: readonly string[]): void {
      if (!isTerminal) return;
      if (lines.length > 0) draw('', lines);
      else drawn = [];
    },
  };
}

/**
 * Resolves when the stream accepts more or is closed. Removes its listeners, because a long table waits here thousands
 * of times.
 */
async function room(stdout: NodeJS.WriteStream): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(stdout, 'drain', { signal }), once(stdout, 'close', { signal })]).catch(() => undefined);
  over.abort();
}

/** `no space left on device` from `ENOSPC: no space left on device, write`. */
function reasonOf({ code, syscall, message }: NodeJS.ErrnoException): string {
  return message.replace(`${code}: `, '').replace(`, ${syscall}`, '');
}
