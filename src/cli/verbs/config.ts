import { openDatabase } from '../../app/compose.ts';
import { mayActAsReader, readerUrl } from '../../db/reader-role.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { withOwnCommand } from '../hint.ts';
import { flag } from '../option-values.ts';
import { formatTable } from '../output/table.ts';
import { printFound } from '../read-verb.ts';

const asOwner = 'with --database-url: the rights of DATABASE_URL, which may change everything';

export const verb = defineVerb({
  options: {
    json: flag('--json', 'print JSON'),
    databaseUrl: flag(
      '--database-url',
      'print only the URL of the database with its password, for psql: reads marts as bi_reader',
    ),
    owner: flag('--owner', asOwner).implies({ databaseUrl: true }),
  },

  async run({ json = false, databaseUrl, owner = false }, { name, config, log, console }) {
    if (databaseUrl) {
      return using(openDatabase(config, { log, name }), async ({ db, databaseUrl: url }) => {
        const isReader = !owner && (await mayActAsReader(db));
        await console.data(`${owner ? url : readerUrl(url, isReader)}\n`);
        if (!owner && !isReader)
          console.say(
            'Its user may not act as bi_reader and reads with its own rights, read-only. To allow it: ' +
              'grant bi_reader to that user.',
          );
        // This command is one use of the embedded server, which ends with its last.
        const uses = await db.query(`select 1 from pg_stat_activity where application_name = 'pricebook uses'`);
        if (!config.databaseUrl && uses.rows.length < 2)
          console.say('The embedded server runs only while a command such as start runs, and none does.');
      });
    }
    const { settings } = config;
    const rows = settings.map((each) => [each.name, each.value ?? `(${withOwnCommand(each.default)})`, each.origin]);
    const text = formatTable(['variable', 'value', 'from'], rows, 200);
    return printFound({ json: { version: 1, settings }, text }, { json }, { console });
  },
});
