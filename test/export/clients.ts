import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** `.ci/run` installs the packages of PyPI here that tests can use. */
const installed = fileURLToPath(new URL('../../node_modules/.cache/python/bin/python', import.meta.url));

export const python = existsSync(installed) ? installed : 'python3';

/** `.ci/clients` installs programs there. */
export const tools = process.env['CLIENT_TOOLS'];
const hasSpark = tools !== undefined && readdirSync(tools).includes('jars');
export const names: readonly string[] = ['DuckDB', 'ClickHouse', 'polars', 'pandas', ...(hasSpark ? ['Spark'] : [])];

export type Row = Readonly<Record<string, string | null>>;

/** A program of others that reads tables. */
export interface Client {
  readonly name: string;
  rows(table: string, night?: readonly [region: string, date: string]): Promise<Row[]>;
  types(table: string): Promise<Record<string, string>>;
  /** A statement of SQL or a program in Python. */
  run(program: string): Promise<Row[]>;
  close(): void;
}

/** Starts a client in a folder; `s3` are variables of its environment. */
export function startClient(name: string, folder: string, s3: Readonly<Record<string, string>>): Client {
  const program = fileURLToPath(new URL('clients.py', import.meta.url));
  const child: ChildProcessWithoutNullStreams = spawn(python, [program, name], {
    cwd: folder,
    env: { ...process.env, ...s3 },
  });
  let log = '';
  child.stderr.on('data', (text) => {
    log = `${log}${text}`.slice(-4_000);
  });
  const lines: Interface = createInterface({ input: child.stdout });
  const answers = lines[Symbol.asyncIterator]();
  let last: Promise<unknown> = Promise.resolve();
  async function ask<Found>(question: object): Promise<Found> {
    child.stdin.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await answers.next();
    if (done) throw new Error(`${name} ended: ${log}`);
    const { found, failed } = JSON.parse(value) as { found: Found; failed?: string };
    if (failed !== undefined) throw new Error(`${name}: ${failed}`);
    return found;
  }
  /** One question at a time. */
  const inTurn = <Found>(question: object): Promise<Found> => {
    const answer = last.then(() => ask<Found>(question));
    last = answer.catch(() => undefined);
    return answer;
  };
  return {
    name,
    rows: (table, night) => inTurn(night ? { table, night } : { table }),
    types: (table) => inTurn({ types: table }),
    run: (program) => inTurn({ run: program }),
    close: () => child.stdin.end(),
  };
}
