import { type Chance, createChance } from '../../support/chance.ts';
import { isRedisInstalled } from '../../support/redis-server.ts';
import type { Ground } from '../ground.ts';
import type { Profile, Trial } from '../profile.ts';
import { openSite } from '../site.ts';
import { drawCatalogue, upstreamOf } from './catalogues.ts';
import { type Family, families } from './families.ts';
import { type PlayedNight, playNight } from './play-night.ts';
import type { Schedule } from './schedule.ts';
import { createUndisturbed, type UndisturbedOf } from './undisturbed.ts';
import { verify } from './verify.ts';

/**
 * Kills, lost connections, lost queues and failing servers on real processes. Each schedule must end as an undisturbed
 * run does.
 */
export const faults: Profile = {
  count: 20,
  parallel: 3,
  variants: families.map(({ name }) => name),
  begin(ground, only) {
    const undisturbedOf = createUndisturbed(ground);
    return (seed) => playSchedule(ground, undisturbedOf, drawSchedule(seed, only));
  },
};

/** The schedule of a seed, optionally of one family. It changes only with this file and the files it draws from. */
export function drawSchedule(seed: number, familyName?: string): Schedule {
  const chance = createChance(seed);
  const family = families.find(({ name }) => name === familyName) ?? drawFamily(chance);
  const catalogue = drawCatalogue(chance);
  const drawn = family.draw(chance, catalogue);
  const queue = isRedisInstalled ? (drawn.queue ?? 'postgres') : 'postgres';
  return { seed, family: family.name, catalogue, server: 'shared', ...drawn, queue };
}

function drawFamily(chance: Chance): Family {
  let left = chance.number() * families.reduce((sum, { weight }) => sum + weight, 0);
  for (const family of families) {
    left -= family.weight;
    if (left < 0) return family;
  }
  return families[0]!;
}

/** Plays a schedule on its own site and checks the result against every promise. */
export async function playSchedule(ground: Ground, undisturbedOf: UndisturbedOf, schedule: Schedule): Promise<Trial> {
  const { seed, family, catalogue, queue, server } = schedule;
  const undisturbed = await undisturbedOf(catalogue, schedule.nights.length);
  const mishaps = schedule.nights.flatMap((night) => night.mishaps);
  const links = mishaps.flatMap((mishap) => ('link' in mishap ? [mishap.link] : []));
  const site = await openSite(ground, { upstream: upstreamOf(catalogue), queue, server, links });
  try {
    const nights: PlayedNight[] = [];
    for (const [index, plan] of schedule.nights.entries()) {
      nights.push(await playNight(site, schedule, index, plan, undisturbed.requests[index]!));
    }
    const { broken, respent, verdicts } = await verify(site, schedule, nights, undisturbed);
    return {
      seed,
      kind: family,
      broken,
      counts: {
        nights: nights.length,
        commands: nights.reduce((sum, { attempts }) => sum + attempts, 0),
        'requests sent again': respent,
        ...countEach([...verdicts, ...nights.flatMap(({ fired, faults: upstream }) => [...fired, ...upstream])]),
      },
      details: [
        `${catalogue.name}, ${server === 'own' ? 'own server' : queue}`,
        JSON.stringify(schedule.nights),
        ...nights.map(({ said }) => said),
      ].join('\n'),
    };
  } finally {
    await site.close();
  }
}

function countEach(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
