import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { useCliHome } from '../cli/pricebook.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { useFolder } from '../support/folder.ts';
import { leaksInDatabase, leaksInFiles } from '../support/leaks.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { sentinelKey } from '../support/sentinel-key.ts';
import { createEchoingUpstream, type EchoingUpstream } from './echoing-upstream.ts';

/** What a person reads of a printed text. */
const read = (text: string) => text.replace(/<[^<>]*>|&[#\w]+;|[^!-~]/g, '');

describe('the subscriber’s key in texts, with what cleaning removes or nobody sees between its letters', () => {
  const installation = useInstallation();
  const home = useFolder('hidden');
  const cli = useCliHome({ book: installation });
  let simulator: Simulator;
  let upstream: EchoingUpstream;

  beforeAll(async () => {
    simulator = await createSimulator({ items: 120, superDepartments: 3 });
    upstream = await createEchoingUpstream(simulator.url);
    upstream.manner = 'hidden';
    const env = { EXTRA_FIELDS: 'wording=description:text' };
    await crawlNight({ installation, upstream: upstream.url, now: nightOf('2026-03-01'), maxDetails: 30, home, env });
  });
  afterAll(async () => {
    await upstream?.close();
    await simulator?.close();
  });

  test('the key is in no table and no archived payload, neither as it is nor as people read it', async () => {
    expect(await leaksInDatabase(installation.databaseUrl)).toEqual([]);
    expect(await leaksInFiles(home)).toEqual([]);
    const tables = await rowsOf<{ name: string }>(
      installation.db,
      `select c.oid::regclass::text as name from pg_class c
       where c.relkind in ('r', 'm') and c.relnamespace::regnamespace::text !~ '^(pg_|information_schema)'`,
    );
    for (const { name } of tables) {
      const rows = await rowsOf<{ text: string }>(installation.db, `select t::text as text from ${name} t`);
      expect([name, rows.filter(({ text }) => read(text).includes(sentinelKey))]).toEqual([name, []]);
    }
    const masked = `select from catalog.product where title = repeat('*', ${sentinelKey.length})`;
    expect((await installation.db.query(masked)).rowCount).toBeGreaterThan(20);
  });

  test('no command prints the key', async () => {
    for (const command of ['asof --region uk --date 2026-03-01 --csv', 'find', 'promotions', 'quarantine', 'drift']) {
      const { stdout, stderr } = await cli.run(command.split(' '));
      if (command.endsWith('--csv')) expect(stdout, command).toContain('*'.repeat(sentinelKey.length));
      expect(read(`${stdout}${stderr}`), command).not.toContain(sentinelKey);
    }
  });
});
