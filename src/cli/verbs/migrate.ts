import { openDatabase } from '../../app/compose.ts';
import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../db/client.ts';
import { migrate as migrateDatabase } from '../../db/migrate.ts';
import { deriveNights } from '../../followers/derive/derive-nights.ts';
import { countNightsOwed, regionsOwed } from '../../followers/derive/owed-nights.ts';
import { using } from '../closing.ts';
import type { Console } from '../console.ts';
import { defineVerb } from '../define-verb.ts';
import { count } from '../output/words.ts';

export const migrate = defineVerb({
  run(_options, { config, clock, log, console, signal }) {
    return using(openDatabase(config, { log, name: 'migrate' }), async ({ db }) => {
      const { isNew, hasNewObjects } = await migrateDatabase(db, { log });
      if (hasNewObjects) console.say(isNew ? 'Schema created.' : 'Functions and views replaced.');
      const isDerived = await deriveOwed(db, { clock, console, signal });
      if (!hasNewObjects && !isDerived) console.say('Nothing to do: the schema is up to date.');
    });
  },
});

/** Derives nights after a rule change instead of leaving them to a worker. Returns whether there were any. */
async function deriveOwed(
  db: Database,
  { clock, console, signal }: { readonly clock: Clock; readonly console: Console; readonly signal: AbortSignal },
): Promise<boolean> {
  const regions = await regionsOwed(db);
  for (const region of regions) {
    const owed = await countNightsOwed(db, region);
    const nights = owed === 1 ? '1 night' : `${count(owed)} nights`;
    console.say(
      `${region}: deriving ${nights}; a large history takes minutes, ` +
        'and an interrupted derivation continues next time …',
    );
    let derived = 0;
    await deriveNights(db, region, {
      clock,
      signal,
      onDerived(some) {
        derived += some.length;
        if (derived < owed) console.say(`${region}: ${count(derived)} of ${nights} derived …`);
      },
    });
    console.say(`${region}: ${count(derived)} ${derived === 1 ? 'night' : 'nights'} derived.`);
  }
  return regions.length > 0;
}
