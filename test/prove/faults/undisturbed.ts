import { createSimulator } from '../../../src/simulator/index.ts';
import { crawlNight } from '../../support/crawl.ts';
import { businessDump } from '../../support/dump.ts';
import { type Ground, openDatabases } from '../ground.ts';
import { busy } from '../site.ts';
import { type Catalogue, dateOf, upstreamOf } from './catalogues.ts';

/** Result of a catalogue without faults. */
export interface Undisturbed {
  /** Requests of each night. */
  readonly requests: readonly number[];
  /** The catalogue in natural keys after the last of them. */
  readonly dump: Readonly<Record<string, readonly string[]>>;
}

export type UndisturbedOf = (catalogue: Catalogue, nights: number) => Promise<Undisturbed>;

/** Computes the undisturbed course of a catalogue once, night by night. */
export function createUndisturbed(ground: Ground): UndisturbedOf {
  const known = new Map<string, Promise<readonly Undisturbed[]>>();
  return async (catalogue, nights) => {
    const courses = known.get(catalogue.name) ?? play(ground, catalogue);
    known.set(catalogue.name, courses);
    return (await courses)[nights - 1]!;
  };
}

/** The catalogue after its first night, its first two, and so on. */
async function play(ground: Ground, catalogue: Catalogue): Promise<Undisturbed[]> {
  const { regions, nights, maxDetails } = catalogue;
  const databases = await openDatabases(ground);
  const simulator = await createSimulator({ ...busy, ...upstreamOf(catalogue) });
  try {
    const courses: Undisturbed[] = [];
    for (const night of nights) {
      simulator.change({ date: dateOf(night) });
      simulator.resetLog();
      await crawlNight({
        installation: { databaseUrl: databases.url },
        upstream: simulator.url,
        now: new Date(night),
        regions,
        maxDetails,
      });
      const requests = [...(courses.at(-1)?.requests ?? []), simulator.log().total];
      courses.push({ requests, dump: await businessDump(databases.db) });
    }
    return courses;
  } finally {
    await simulator.close();
    await databases.drop();
  }
}
