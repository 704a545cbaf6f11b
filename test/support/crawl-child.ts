import { parseArgs } from 'node:util';
import type { RegionCode } from '../../src/base/model/index.ts';
import { crawlNight } from './crawl.ts';

/** Runs `pricebook crawl` in a process that tests can kill. Options come as JSON, the instant as a string. */
export interface ChildOptions {
  readonly installation: { readonly databaseUrl: string; readonly queue?: Readonly<Record<string, string>> };
  readonly upstream: string;
  readonly now: string;
  readonly regions: readonly RegionCode[];
  readonly maxDetails: number;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

const { positionals } = parseArgs({ allowPositionals: true });
const { now, ...options } = JSON.parse(positionals[0]!) as ChildOptions;
void crawlNight({ ...options, now: new Date(now) }).then((runs) => {
  process.stdout.write(`${JSON.stringify(runs.map(({ region, status, verdict }) => ({ region, status, verdict })))}\n`);
});
