import type { Base, Crawler } from '../app/compose.ts';
import { readOtherWorkers } from '../crawl/ledger/workers.ts';
import type { Console } from './console.ts';

const lookEveryMs = 5_000;

/** Names every other `start` on the same book, once, whichever came first. `close` ends the watch. */
export async function nameOtherStarts(
  { db, log }: Base,
  { context }: Crawler,
  console: Console,
): Promise<{ close(): Promise<void> }> {
  const named = new Set<string>();
  const look = async () => {
    for (const { workerId, host, pid } of await readOtherWorkers(db, 'start', context.workerId)) {
      if (named.has(workerId)) continue;
      named.add(workerId);
      console.say(`Another start works on this book: process ${pid} on ${host}. They share its nights; one is enough.`);
    }
  };
  await look();
  const timer = setInterval(() => {
    look().catch((error) => log.debug({ err: error }, 'other commands could not be looked for'));
  }, lookEveryMs);
  return { close: async () => clearInterval(timer) };
}
