import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LogReport, SimulatorChange, SimulatorOptions } from '../../src/simulator/index.ts';

/** The simulator in a process of its own: what it costs must not be counted as ours. */
export interface Upstream {
  readonly url: string;
  change(change: SimulatorChange): Promise<void>;
  log(): Promise<LogReport>;
  resetLog(): Promise<void>;
  close(): Promise<void>;
}

export async function startUpstream(options: SimulatorOptions): Promise<Upstream> {
  const child = fork(fileURLToPath(new URL('upstream-process.ts', import.meta.url)), [JSON.stringify(options)], {
    execArgv: ['--import', 'tsx'],
  });
  const url = await addressOf(child);
  const ask = async (path: string, body?: unknown): Promise<unknown> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(url + path, init);
    if (!response.ok) throw new Error(`the simulator answered ${path} with ${await response.text()}`);
    return response.json();
  };
  return {
    url,
    async change(change) {
      await ask('/__control', change);
    },
    log: async () => (await ask('/__log?times=1')) as LogReport,
    async resetLog() {
      await ask('/__reset', {});
    },
    async close() {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`the simulator's process ended with ${code}`);
  });
  const told = once(child, 'message').then(([message]) => String(message));
  return Promise.race([told, died]);
}
