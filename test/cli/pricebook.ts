import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { demoFolder } from '../../src/app/compose/data.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { createConsole } from '../../src/cli/console.ts';
import { removeEmbedded } from '../../src/db/embedded/open-embedded.ts';
import type { Installation } from '../support/crawl.ts';
import { useFolder } from '../support/folder.ts';
import { expectNoLeak, leaksInFiles } from '../support/leaks.ts';
import { sentinelKey } from '../support/sentinel-key.ts';

/** Output and exit of a command. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. */
export interface Running {
  readonly process: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  /** Output so far. */
  said(): { readonly stdout: string; readonly stderr: string };
  /** Resolves with the match when either stream contains it; rejects if the command ends before. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
}

export type Environment = Readonly<Record<string, string>>;

/**
 * A home for all tests of the file. With an installation its book is there, and no command makes and starts a server in
 * the home.
 */
export function useCliHome({ book }: { readonly book?: Installation } = {}) {
  const home = useFolder('cli');
  // If root runs the tests, the server runs as another user who needs access.
  chmodSync(home, 0o755);
  const data = join(home, 'data');
  const demo = join(data, demoFolder);
  const running = new Set<ChildProcessWithoutNullStreams>();
  const leaks: string[] = [];
  afterAll(async () => {
    await Promise.all(
      [...running].map(async (child) => {
        child.kill('SIGKILL');
        await once(child, 'close');
      }),
    );
    leaks.push(...(await leaksInFiles(data)));
    await removeEmbedded(demo);
    await removeEmbedded(data);
    expectNoLeak(leaks);
  });

  const environment = (env: Environment): Environment => ({
    PATH: process.env['PATH'] ?? '',
    PRICEBOOK_HOME: data,
    ...(book ? { DATABASE_URL: book.databaseUrl, ...book.queue } : {}),
    ...(env['GROCERY_BASE_URL'] === undefined ? {} : { GROCERY_KEY: sentinelKey }),
    ...env,
  });
  const listen = (args: readonly string[], { stdout, stderr }: Ended) => {
    if (`${stdout}${stderr}`.includes(sentinelKey)) leaks.push(`what \`${args.join(' ')}\` said`);
  };
  return {
    home: data,
    /** A command line from its first word to its exit code, in this process, which is faster than starting one. */
    async run(args: readonly string[], env: Environment = {}): Promise<Ended> {
      const ended = await runHere(args, environment(env), home);
      listen(args, ended);
      return ended;
    },
    /** A separate process. */
    start(args: readonly string[], env: Environment = {}): Running {
      // Not in the checkout: a developer's own .env is none of the tests' business.
      const child = spawn(process.execPath, [program, ...args], { cwd: home, env: environment(env) });
      running.add(child);
      return watch(child, (ended) => {
        running.delete(child);
        listen(args, ended);
      });
    },
  };
}

async function runHere(args: readonly string[], env: Environment, cwd: string): Promise<Ended> {
  const stdout = new PassThrough().setEncoding('utf8');
  const stderr = new PassThrough().setEncoding('utf8');
  const heard = { stdout: '', stderr: '' };
  stdout.on('data', (text: string) => (heard.stdout += text));
  stderr.on('data', (text: string) => (heard.stderr += text));
  const { signal } = new AbortController();
  const code = await runCommandLine(args, {
    console: createConsole(stdout as unknown as NodeJS.WriteStream, stderr as unknown as NodeJS.WriteStream, signal),
    interruption: { signal, exitCode: () => null, end: () => undefined },
    env,
    cwd,
    patienceMs: 0,
    logTo: { write: (line) => void stderr.write(line) },
  });
  await Promise.all([stdout, stderr].map((stream) => once(stream.end(), 'end')));
  return { code, ...heard };
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
