import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from '../support/command.ts';
import type { Site } from './site.ts';

/** Something done to a process, a server or a connection at a moment of a night. */
export type Mishap = {
  /** Share of the requests an undisturbed night takes after which it happens. */
  readonly at: number;
  /** And then so much later: into staging, finishing, publishing. */
  readonly afterMs: number;
} & (
  | { readonly kind: 'kill crawl' | 'kill everything' | 'kill work' | 'kill postgres' }
  | { readonly kind: 'end crawl' | 'lose queue' }
  | { readonly kind: 'stop crawl' | 'kill redis'; readonly forMs: number }
  | { readonly kind: 'cut'; readonly link: Link }
  | { readonly kind: 'refuse' | 'hole'; readonly link: Link; readonly forMs: number }
  | { readonly kind: 'delay'; readonly link: Link; readonly forMs: number; readonly delayMs: number }
);

export type Link = 'upstream' | 'database';

/** The running processes of a night. */
export interface Crew {
  crawl: Command | null;
  workers: Command[];
}

/** Looks at the night this often: fine enough to hit every part of it. */
const lookEveryMs = 8;
/** After that long without another request the night is taken to be past its requests. */
const quietMs = 1_500;

/** Causes mishaps in order, each after its share of the requests of an undisturbed night, or when requests stop. */
export function bringAbout(site: Site, crew: Crew, mishaps: readonly Mishap[], undisturbedRequests: number) {
  const fired: Mishap['kind'][] = [];
  const healing: Promise<unknown>[] = [];
  const stopping = new AbortController();
  const before = site.simulator.log().total;
  let seen = before;
  let seenAt = performance.now();
  const running = run().catch((error) => {
    if (!stopping.signal.aborted) throw error;
  });
  // Checked after the night.
  running.catch(() => undefined);

  async function run(): Promise<void> {
    for (const mishap of [...mishaps].sort((a, b) => a.at - b.at)) {
      await until(() => hasCome(mishap));
      await sleep(mishap.afterMs, undefined, { signal: stopping.signal });
      await until(() => !needsCrawl(mishap) || (crew.crawl !== null && !crew.crawl.isOver()));
      fired.push(mishap.kind);
      await happen(mishap);
    }
  }

  function hasCome({ at }: Mishap): boolean {
    const { total } = site.simulator.log();
    if (total > seen) [seen, seenAt] = [total, performance.now()];
    return total - before >= at * undisturbedRequests || (total > before && performance.now() - seenAt > quietMs);
  }

  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await sleep(lookEveryMs, undefined, { signal: stopping.signal });
  }

  async function happen(mishap: Mishap): Promise<void> {
    switch (mishap.kind) {
      case 'kill crawl':
        return void crew.crawl?.process.kill('SIGKILL');
      case 'end crawl':
        return void crew.crawl?.process.kill('SIGTERM');
      case 'kill work':
        for (const worker of crew.workers) worker.process.kill('SIGKILL');
        return;
      case 'kill everything':
        for (const command of [crew.crawl, ...crew.workers]) command?.process.kill('SIGKILL');
        await site.redis?.kill();
        await site.redis?.restart();
        return;
      case 'stop crawl': {
        const victim = crew.crawl?.process;
        victim?.kill('SIGSTOP');
        healing.push(sleep(mishap.forMs).then(() => victim?.kill('SIGCONT')));
        return;
      }
      case 'kill postgres':
        return site.killPostgres();
      case 'kill redis':
        await site.redis?.kill();
        await sleep(mishap.forMs);
        await site.redis?.restart();
        return;
      case 'lose queue':
        return site.loseQueue();
      case 'cut':
        return site.links[mishap.link]?.cut();
      case 'refuse':
      case 'hole':
        site.links[mishap.link]?.set(mishap.kind);
        healing.push(heal(mishap.link, mishap.forMs));
        return;
      case 'delay':
        site.links[mishap.link]?.set({ delayMs: mishap.delayMs });
        healing.push(heal(mishap.link, mishap.forMs));
        return;
    }
  }

  /** Connections that lost bytes are of no use any more. */
  async function heal(link: Link, afterMs: number): Promise<void> {
    await sleep(afterMs);
    site.links[link]?.set('pass');
    site.links[link]?.cut();
  }

  return {
    fired,
    /** Stops further mishaps; resolves when temporary damage is repaired. */
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(healing);
    },
  };
}

function needsCrawl({ kind }: Mishap): boolean {
  return kind === 'kill crawl' || kind === 'end crawl' || kind === 'stop crawl' || kind === 'kill everything';
}
