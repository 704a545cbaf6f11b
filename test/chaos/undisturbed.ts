import { createSimulator } from '../../src/simulator/index.ts';
import { crawlNight } from '../support/crawl.ts';
import { businessDump } from '../support/dump.ts';
import { type Ground, openDatabases } from './ground.ts';
import { dateOf, upstreamOf, type World } from './world.ts';

/** What a world comes to when nothing happens to it. */
export interface Undisturbed {
  /** Requests of each night. */
  readonly requests: readonly number[];
  /** The catalogue in natural keys after the last of them. */
  readonly dump: Readonly<Record<string, readonly string[]>>;
}

export type UndisturbedOf = (world: World, nights: number) => Promise<Undisturbed>;

/** Works out the undisturbed course of so many nights of a world, each once. */
export function createUndisturbed(ground: Ground): UndisturbedOf {
  const known = new Map<string, Promise<Undisturbed>>();
  return (world, nights) => {
    const name = `${world.name}, ${nights} nights`;
    const course = known.get(name) ?? play(ground, world, nights);
    known.set(name, course);
    return course;
  };
}

async function play(ground: Ground, world: World, count: number): Promise<Undisturbed> {
  const { regions, nights, maxDetails } = world;
  const databases = await openDatabases(ground);
  const simulator = await createSimulator(upstreamOf(world));
  try {
    const requests: number[] = [];
    for (const night of nights.slice(0, count)) {
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
    }
    return { requests, dump: await businessDump(databases.db) };
  } finally {
    await simulator.close();
    await databases.drop();
  }
}
