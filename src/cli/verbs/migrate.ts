import { openDatabase } from '../../app/compose.ts';
import { count, plural } from '../../base/format.ts';
import { regionCodes } from '../../base/model/index.ts';
import { migrate as migrateDatabase } from '../../db/migrate.ts';
import { grantReader, readsMarts } from '../../db/reader-role.ts';
import { deriveNights } from '../../followers/derive/derive-nights.ts';
import { countNightsOwed } from '../../followers/derive/owed-nights.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';

export const verb = defineVerb({
  run(_options, { name, config, clock, log, console, signal }) {
    return using(openDatabase(config, { log, name }), async ({ db }) => {
      const { isNew, hasNewObjects } = await migrateDatabase(db, { log });
      // An administrator may have made the role since.
      if (!hasNewObjects && !(await readsMarts(db))) await db.tx((tx) => grantReader(tx, log));
      if (hasNewObjects) console.say(isNew ? 'Schema created.' : 'Functions and views replaced.');
      // Nights are derived after a rule change here instead of by a worker.
      let isOwed = false;
      for (const region of regionCodes) {
        const owed = await countNightsOwed(db, region);
        if (owed === 0) continue;
        isOwed = true;
        const nights = plural(owed, 'night');
        console.say(`${region}: deriving ${nights}; an interrupted derivation continues next time …`);
        let derived = 0;
        const onDerived = (some: readonly unknown[]) => {
          derived += some.length;
          console.say(`${region}: ${count(derived)} of ${nights} derived`);
        };
        await deriveNights(db, region, { clock, signal, onDerived });
      }
      if (!hasNewObjects && !isOwed) console.say('Nothing to do: the schema is up to date.');
    });
  },
});
