import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ChildOptions } from './crawl-child.ts';
import { programArgs } from './program.ts';

const program = await programArgs('test/support/crawl-child.ts');

export interface CrawlChild {
  readonly process: ChildProcess;
  /** Exit code or signal name, with the output. */
  readonly ended: Promise<{ readonly how: number | string | null; readonly stdout: string; readonly stderr: string }>;
  kill(): Promise<void>;
}

/** Starts a night in a separate process. */
export function startChild(options: ChildOptions): CrawlChild {
  const child = spawn(process.execPath, [...program, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ how: code ?? signal, stdout, stderr }));
  return {
    process: child,
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
