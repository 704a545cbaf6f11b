import { expect, test } from 'vitest';
import { createSimulator } from '../../src/simulator/index.ts';
import { useDatabase } from '../support/database.ts';
import { useCliHome } from './pricebook.ts';

const { run } = useCliHome();
const database = useDatabase();

test('a crawl that a bug stops exits with 1 after few requests and continues after the fix', async () => {
  const simulator = await createSimulator({ items: 200, superDepartments: 10, date: '2026-03-01' });
  const env = { DATABASE_URL: database.url, GROCERY_BASE_URL: simulator.url };
  const crawl = () => run(['--now', '2026-03-01', 'crawl', '--region', 'uk', '--max-details', '5'], env);
  try {
    await database.db.query(
      `create function public.refuse() returns trigger language plpgsql as $$
       begin raise 'refused by a trigger'; end $$;
       create trigger refuse before insert on stage.product for each row execute function public.refuse()`,
    );
    const { code, stdout, stderr } = await crawl();
    const said = stderr.split('\n').filter((line) => line.startsWith('pricebook: '));
    expect(said).toEqual([
      expect.stringContaining('Run 1 of uk 2026-03-01 failed unexpectedly: refused by a trigger.'),
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(simulator.log().total).toBeLessThan(20);

    await database.db.query('drop trigger refuse on stage.product');
    expect(await crawl()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^uk 2026-03-01: complete, /) });
  } finally {
    await simulator.close();
  }
});
