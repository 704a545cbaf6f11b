import { z } from 'zod';
import { deriveNights } from '../src/derive/derive-nights.ts';
import { RegionCode } from '../src/model/index.ts';
import { defineJob } from './context.ts';

/** Derives what follows from the certified nights of a region, as far as it is owed. */
export const deriveNight = defineJob({
  name: 'derive-night',
  payload: z.object({ region: RegionCode }),
  key: ({ region }) => `derive-${region}`,

  async run({ region }, { db, clock, log }, signal) {
    const nights = await deriveNights(db, region, { signal, clock });
    if (nights > 0) log.info({ region, nights }, 'nights derived');
  },
});
