import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type {
  LogReport,
  SimulatorChange,
  SimulatorOptions,
  SimulatorState,
  TrueProduct,
} from '../../src/simulator/index.ts';

/** Runs the simulator in its own process, so that its cost is not counted. */
export interface Upstream {
  readonly url: string;
  readonly port: number;
  change(change: SimulatorChange): Promise<void>;
  state(): Promise<SimulatorState>;
  /** Result that a faultless crawl of a date must have. */
  truth(region: 'uk' | 'ie', date: string): Promise<TrueProduct[]>;
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
    port: Number(new URL(url).port),
    async change(change) {
      await ask('/__control', change);
    },
    state: async () => (await ask('/__control')) as SimulatorState,
    async truth(region, date) {
      const response = await fetch(`${url}/__truth?region=${region}&date=${date}`);
      const lines = (await response.text()).split('\n').filter(Boolean);
      if (!response.ok) throw new Error(`the simulator does not tell the truth of ${date}: ${lines[0]}`);
      return lines.map((line) => JSON.parse(line) as TrueProduct);
    },
    log: async () => (await ask('/__log')) as LogReport,
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
