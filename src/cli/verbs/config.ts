import { Option } from 'commander';
import { openDatabase } from '../../app/compose.ts';
import { variables } from '../../app/config.ts';
import { mayActAsReader, readerUrl } from '../../db/reader-role.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { formatTable } from '../output/table.ts';

interface Options {
  readonly json?: boolean;
  readonly databaseUrl?: boolean;
  readonly owner?: boolean;
}

export const config = defineVerb<Options>({
  declare(command) {
    command
      .option('--json', 'print JSON')
      .option(
        '--database-url',
        'print only the URL of the database with its password, for psql: reads marts as bi_reader',
      )
      .addOption(
        new Option('--owner', 'with --database-url: the rights of DATABASE_URL, which may change everything').implies({
          databaseUrl: true,
        }),
      );
  },

  async run({ json, databaseUrl, owner = false }, { config, log, console }) {
    if (databaseUrl) {
      return using(openDatabase(config, { log, name: 'config' }), async (database) => {
        const { db, databaseUrl: url } = database;
        const isReader = !owner && (await mayActAsReader(db));
        await console.data(`${owner ? url : readerUrl(url, isReader)}\n`);
        if (!owner && !isReader)
          console.say(
            'Its user may not act as bi_reader and reads with its own rights, read-only. To allow it: ' +
              'grant bi_reader to that user.',
          );
        if (!config.databaseUrl) console.say('The embedded server runs only while a command such as start runs.');
      });
    }
    const defaults = new Map(variables.map((variable) => [variable.name, variable.default]));
    const settings = config.settings.map((setting) => ({ ...setting, default: defaults.get(setting.name) ?? '' }));
    if (json) await console.data(`${JSON.stringify({ version: 1, settings })}\n`);
    else {
      const rows = settings.map(({ name, value, origin, default: fallback }) => [
        name,
        value ?? `(${fallback})`,
        origin,
      ]);
      await console.data(formatTable(['variable', 'value', 'from'], rows, 200));
    }
  },
});
