import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { useDatabase } from '../support/database.ts';
import { useHousehold } from './pricebook.ts';

describe('a crawl that fails because of a bug', () => {
  const { run } = useHousehold();
  const database = useDatabase({ isForEachTest: true });
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await createSimulator({ items: 200, superDepartments: 10, date: '2026-03-01' });
  });
  afterAll(() => simulator.close());
  beforeEach(() => {
    simulator.change({ faults: [] });
    simulator.resetLog();
  });

  test('a crawl exits with 1 and continues after the fix if units cannot be claimed', async () => {
    const rename = (from: string, to: string) => `alter table ops.detail_fetch rename ${from} to ${to}`;
    await database.db.query(rename('not_before', 'other'));
    await expectToFail('column u.not_before does not exist');
    await database.db.query(rename('other', 'not_before'));
    await expectToEnd();
  });

  test('a crawl exits with 1 after few requests and continues after the fix if no page can be staged', async () => {
    await refuse('insert', 'stage.product', 'true');
    await expectToFail('refused by a trigger');
    expect(simulator.log().total).toBeLessThan(20);
    await allow('stage.product');
    await expectToEnd();
  });

  async function expectToFail(why: string): Promise<void> {
    const { code, stdout, stderr } = await crawl();
    const said = stderr.split('\n').filter((line) => line.startsWith('pricebook: '));
    expect(said).toEqual([expect.stringContaining(`Run 1 of uk 2026-03-01 failed unexpectedly: ${why}.`)]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  }

  async function expectToEnd(): Promise<void> {
    const { code, stdout } = await crawl();
    expect(stdout).toMatch(/^uk 2026-03-01: complete, /);
    expect(code).toBe(0);
  }

  function crawl() {
    const args = ['--now', '2026-03-01', 'crawl', '--region', 'uk', '--max-details', '5'];
    return run(args, { DATABASE_URL: database.url, GROCERY_BASE_URL: simulator.url });
  }

  async function refuse(what: 'insert' | 'update', table: string, when: string): Promise<void> {
    await database.db.query(
      `create function public.refuse() returns trigger language plpgsql as $$
       begin if ${when} then raise 'refused by a trigger'; end if; return new; end $$;
       create trigger refuse before ${what} on ${table} for each row execute function public.refuse()`,
    );
  }

  async function allow(table: string): Promise<void> {
    await database.db.query(`drop trigger refuse on ${table}`);
  }
});
