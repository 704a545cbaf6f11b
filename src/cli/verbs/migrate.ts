import { openDatabase } from '../../compose.ts';
import { migrate as migrateDatabase } from '../../db/migrate.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';

export const migrate = defineVerb({
  run(_options, { config, log, console }) {
    return using(openDatabase(config, { log, name: 'migrate' }), async ({ db }) => {
      const { applied, hasNewViews } = await migrateDatabase(db, { log });
      const done = [
        applied > 0 && `${applied} ${applied === 1 ? 'migration' : 'migrations'} applied`,
        hasNewViews && 'views renewed',
      ].filter(Boolean);
      console.say(done.length > 0 ? `${done.join(', ')}.` : 'Nothing to do: the schema is up to date.');
      return undefined;
    });
  },
});
