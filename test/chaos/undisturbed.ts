import { createSimulator } from '../../src/simulator/index.ts';
import { crawlNight } from '../support/crawl.ts';
import { businessDump } from '../support/dump.ts';
import { type Ground, openDatabases } from './ground.ts';
import { dateOf, type World } from './world.ts';

/** What a world comes to when nothing happens to it. */
export interface Undisturbed {
  /** Requests of each night. */
  readonly requests: readonly number[];
  /** The catalogue in natural keys after that many nights. */
  readonly dumps: readonly Readonly<Record<string, readonly string[]>>[];
}

/** Works out the undisturbed course of worlds, each once. */
export function createUndisturbed(ground: Ground): (world: World) => Promise<Undisturbed> {
  const known = new Map<string, Promise<Undisturbed>>();
  return (world) => {
    const course = known.get(world.name) ?? play(ground, world);
    known.set(world.name, course);
    return course;
  };
}

async function play(ground: Ground, { items, seed, regions, nights, maxDetails }: World): Promise<Undisturbed> {
  const databases = await openDatabases(ground);
  const simulator = await createSimulator({ items, seed });
  try {
    const requests: number[] = [];
    const dumps: Record<string, readonly string[]>[] = [];
    for (const night of nights) {
      simulator.change({ date: dateOf(night) });
      simulator.resetLog();
      await crawlNight({
        installation: { databaseUrl: databases.url, queue: { QUEUE_DATABASE_URL: databases.queueUrl } },
        upstream: simulator.url,
        now: new Date(night),
        regions,
        maxDetails,
      });
      requests.push(simulator.log().total);
      dumps.push(await businessDump(databases.db));
    }
    return { requests, dumps };
  } finally {
    await simulator.close();
    await databases.drop();
  }
}
