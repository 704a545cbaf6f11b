import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A `pricebook` process. */
export interface Command {
  readonly process: ChildProcess;
  readonly startedAt: number;
  isOver(): boolean;
  /** Exit code, or null if a signal ended it, with all output. */
  readonly ended: Promise<{ readonly code: number | null; readonly said: string }>;
}

const program = fileURLToPath(new URL('../../src/cli/pricebook.js', import.meta.url));

export function startCommand(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Command {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let isOver = false;
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = once(child, 'close').then(([code]) => {
    isOver = true;
    return { code: code as number | null, said };
  });
  return { process: child, startedAt: performance.now(), isOver: () => isOver, ended };
}
