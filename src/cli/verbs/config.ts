import { openDatabase } from '../../app/compose.ts';
import { variables } from '../../app/config.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { formatTable } from '../output/table.ts';

interface Options {
  readonly json?: boolean;
  readonly databaseUrl?: boolean;
}

export const config = defineVerb<Options>({
  declare(command) {
    command
      .option('--json', 'print JSON')
      .option('--database-url', 'print only the URL of the database with its password, for psql');
  },

  async run({ json, databaseUrl }, { config, log, console }) {
    if (databaseUrl) {
      return using(openDatabase(config, { log, name: 'config' }), async (database) => {
        await console.data(`${database.databaseUrl}\n`);
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
      await console.data(
        formatTable(['variable', 'value', 'from'], rows, { longestCell: 200, width: console.dataWidth() }),
      );
    }
  },
});
