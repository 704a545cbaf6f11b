import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { demoFolder } from '../../src/config/book-home.ts';
import { silentLog } from '../../src/db/db-log.ts';
import { openEmbedded } from '../../src/db/embedded/open-embedded.ts';
import { removeEmbedded } from '../../src/db/embedded/remove-embedded.ts';
import { expectNoLeak, leaksInFiles } from '../support/leaks.ts';
import { sentinelKey } from '../support/sentinel-key.ts';

/** What a command said, and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. */
export interface Running {
  readonly process: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  /** What was said so far. */
  said(): { readonly stdout: string; readonly stderr: string };
  /** Resolves with the match once either stream has said it; rejects when the command ends without. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
}

export type Environment = Readonly<Record<string, string>>;

/** A data folder of one's own and real `pricebook` processes in it. */
export interface Household {
  readonly home: string;
  /** Where below it the simulated book is. */
  readonly demo: string;
  run(args: readonly string[], env?: Environment): Promise<Ended>;
  start(args: readonly string[], env?: Environment): Running;
}

/**
 * A home for all tests of the file. With `keepServer` its embedded server is up all the time, so that commands join it
 * instead of starting and stopping it each time.
 */
export function useHousehold({ keepServer = false } = {}): Household {
  const home = mkdtempSync(join(tmpdir(), 'pricebook-cli-'));
  // When root runs the tests the server runs as another user, who must get in.
  chmodSync(home, 0o755);
  const data = join(home, 'data');
  const demo = join(data, demoFolder);
  const running = new Set<ChildProcessWithoutNullStreams>();
  const leaks: string[] = [];
  let release = async () => {};

  beforeAll(async () => {
    if (!keepServer) return;
    const server = await openEmbedded({ home: demo, log: silentLog, settings: { fsync: 'off' } });
    release = () => server.close();
  });
  afterAll(async () => {
    await Promise.all(
      [...running].map(async (child) => {
        child.kill('SIGKILL');
        await once(child, 'close');
      }),
    );
    await release();
    leaks.push(...(await leaksInFiles(data)));
    await removeEmbedded(demo);
    await removeEmbedded(data);
    rmSync(home, { recursive: true, force: true });
    expectNoLeak(leaks);
  });

  const start = (args: readonly string[], env: Environment = {}): Running => {
    // Not in the checkout: a developer's own .env is none of the tests' business.
    const child = spawn(process.execPath, [program, ...args], {
      cwd: home,
      env: {
        PATH: process.env['PATH'] ?? '',
        PRICEBOOK_HOME: data,
        ...(env['GROCERY_BASE_URL'] === undefined ? {} : { GROCERY_KEY: sentinelKey }),
        ...env,
      },
    });
    running.add(child);
    return watch(child, ({ stdout, stderr }) => {
      running.delete(child);
      if (`${stdout}${stderr}`.includes(sentinelKey)) leaks.push(`what \`${args.join(' ')}\` said`);
    });
  };
  return { home: data, demo, start, run: (args, env) => start(args, env).ended };
}

const program = fileURLToPath(new URL('../../src/cli/pricebook.js', import.meta.url));

function watch(child: ChildProcessWithoutNullStreams, onEnd: (ended: Ended) => void): Running {
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    tell();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    tell();
  });
  const ended = once(child, 'close').then(([code]) => {
    const how = { code: code as number | null, stdout, stderr };
    onEnd(how);
    return how;
  });
  return {
    process: child,
    ended,
    said: () => ({ stdout, stderr }),
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(stdout) ?? pattern.exec(stderr);
          if (match) {
            listeners.delete(look);
            resolve(match);
          }
        };
        listeners.add(look);
        void ended.then(() => reject(new Error(`it never said ${pattern}:\n${stdout}\n${stderr}`)));
        look();
      }),
  };
}
