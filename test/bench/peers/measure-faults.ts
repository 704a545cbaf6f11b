import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatTable } from '../../../src/cli/output/table.ts';
import type { FaultRule } from '../../../src/simulator/index.ts';
import { startUpstream, type Upstream } from '../upstream.ts';
import type { Candidate, NightToLoad } from './candidates.ts';
import { compareWithTruth, environmentOf } from './measure-night.ts';
import { placeFor, withServer } from './measure-nights.ts';

/** A fault of a night. `department` is the id of one of the top categories. */
interface Fault {
  readonly what: string;
  rules?(department: string): readonly FaultRule[];
  /** Kills the candidate after so many requests and starts it again. */
  readonly killAfter?: number;
}

const items = 5_000;
const faults: readonly Fault[] = [
  { what: 'none, the first night' },
  { what: 'none' },
  {
    what: 'a page comes back empty, once',
    rules: (id) => [{ kind: 'emptyPage', categories: [id], pages: [2], times: 1 }],
  },
  { what: 'a department comes back empty', rules: (id) => [{ kind: 'emptyPage', categories: [id] }] },
  { what: 'a page fails', rules: (id) => [{ kind: 'vendor502', categories: [id], pages: [2] }] },
  { what: 'a department fails', rules: (id) => [{ kind: 'vendor502', categories: [id] }] },
  { what: 'killed half-way, started again', killAfter: 120 },
];

/** What each candidate makes of nights with a fault, as a table: a row per fault, a column per candidate. */
export async function measureFaults(candidates: readonly Candidate[], python: string): Promise<string> {
  const upstream = await startUpstream({ items });
  try {
    return await withServer({ settings: {}, url: undefined }, async (server) => {
      const rows = faults.map(({ what }) => [what]);
      for (const [i, candidate] of candidates.entries()) {
        const place = await placeFor(server, `fault_${i}`);
        for (const [day, fault] of faults.entries()) {
          const night = { ...place, date: `2026-06-0${day + 1}`, python, upstream: upstream.url };
          rows[day]!.push(await outcomeOf(upstream, candidate, night, fault));
        }
      }
      return formatTable(['fault', ...candidates.map(({ name }) => name)], rows, 200);
    });
  } finally {
    await upstream.close();
  }
}

async function outcomeOf(upstream: Upstream, candidate: Candidate, night: NightToLoad, fault: Fault): Promise<string> {
  const [someProduct] = await upstream.truth('uk', night.date);
  await upstream.change({ date: night.date, faults: fault.rules?.(someProduct!.categoryIds[0]!) ?? [] });
  await upstream.resetLog();
  if (fault.killAfter) await load(candidate, night, async () => (await upstream.log()).total >= fault.killAfter!);
  const exitCode = await load(candidate, night);
  const { wrong, gone } = await compareWithTruth(candidate, night, upstream);
  const isPublished = exitCode === 0 || exitCode === 3;
  const listed = gone > 0 ? `${gone} falsely gone` : exitCode === 3 ? 'partial, none gone' : `${wrong || 'none'} wrong`;
  return `${isPublished ? listed : 'no night'}, ${(await upstream.log()).total} requests`;
}

/** Loads a night and returns the exit code; kills the candidate, with its children, when it is told to. */
async function load(candidate: Candidate, night: NightToLoad, isToDie = async () => false): Promise<number | null> {
  const [program, ...options] = candidate.command(night);
  const child = spawn(program!, options, { ...environmentOf(candidate, night), stdio: 'ignore', detached: true });
  const ended = once(child, 'exit');
  while (child.exitCode === null && child.signalCode === null) {
    if (await isToDie()) process.kill(-child.pid!, 'SIGKILL');
    await Promise.race([ended, sleep(50)]);
  }
  return child.exitCode;
}
