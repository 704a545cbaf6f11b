import type { Ground } from './ground.ts';
import { type PlayedNight, playNight } from './play-night.ts';
import type { Schedule } from './schedule.ts';
import { prepareSite } from './site.ts';
import type { UndisturbedOf } from './undisturbed.ts';
import { type Verified, verify } from './verify.ts';

/** A schedule from beginning to end. */
export interface Played extends Verified {
  readonly schedule: Schedule;
  readonly nights: readonly PlayedNight[];
  readonly seconds: number;
}

/** Plays a schedule on a site of its own and holds what came of it against every promise. */
export async function playSchedule(ground: Ground, undisturbedOf: UndisturbedOf, schedule: Schedule): Promise<Played> {
  const undisturbed = await undisturbedOf(schedule.world, schedule.nights.length);
  const startedAt = performance.now();
  const site = await prepareSite(ground, schedule);
  try {
    const nights: PlayedNight[] = [];
    for (const [index, plan] of schedule.nights.entries()) {
      nights.push(await playNight(site, schedule, index, plan, undisturbed.requests[index]!));
    }
    const verified = await verify(site, schedule, nights, undisturbed);
    return { schedule, nights, seconds: (performance.now() - startedAt) / 1_000, ...verified };
  } finally {
    await site.close();
  }
}
