import { isRedisInstalled } from '../support/redis-server.ts';
import { type Chance, createChance } from './chance.ts';
import { type Family, families } from './families.ts';
import type { Schedule } from './schedule.ts';
import { drawWorld } from './world.ts';

/**
 * The schedule of a seed, of a family if named: the same for ever, as far as this file and those it draws from stay as
 * they are.
 */
export function drawSchedule(seed: number, familyName?: string): Schedule {
  const chance = createChance(seed);
  const family = familyName === undefined ? drawFamily(chance) : families.find(({ name }) => name === familyName);
  if (!family)
    throw new RangeError(`there is no family "${familyName}": ${families.map(({ name }) => name).join(', ')}`);
  const world = drawWorld(chance);
  const drawn = family.draw(chance, world);
  const queue = isRedisInstalled ? (drawn.queue ?? 'postgres') : 'postgres';
  return { seed, family: family.name, world, server: 'shared', ...drawn, queue };
}

function drawFamily(chance: Chance): Family {
  const all = families.reduce((sum, { weight }) => sum + weight, 0);
  let left = chance.number() * all;
  for (const family of families) {
    left -= family.weight;
    if (left < 0) return family;
  }
  return families[0]!;
}
