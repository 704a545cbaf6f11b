import { expect, test } from 'vitest';
import { openRun } from '../support/open-run.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { useCliHome } from './pricebook.ts';

const book = useInstallation();
const { run } = useCliHome({ book });
const small = ['--region', 'uk', '--items', '100', '--max-details', '15'];

async function ok(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout;
}

const planOf = async (...args: string[]) => JSON.parse(await ok('plan', ...small, '--json', ...args));

async function spent(night: string): Promise<number> {
  const { listings } = JSON.parse(await ok('--now', night, 'status', '--json')) as {
    listings: { requests_spent: number }[];
  };
  return listings[0]!.requests_spent;
}

test('before the first night plan shows its assumptions and sends no request', async () => {
  const { version, regions } = await planOf('--now', '2026-03-01');
  expect(version).toBe(1);
  expect(regions).toHaveLength(1);
  expect(regions[0]).toMatchObject({
    region: 'uk',
    state: 'ahead',
    cost: { amount: 0, currency: 'USD' },
    deferred_details: 85,
  });
  expect(regions[0]!.requests).toMatchObject({ taxonomy: 1, details: 15 });
  expect(regions[0]!.notes[0]).toContain('no night is known yet');
  expect(await spent('2026-03-01')).toBe(0);
});

test('a crawl announces its requests; then the night costs nothing, but other limits plan a whole one', async () => {
  const { code, stderr } = await run(['--now', '2026-03-01', 'crawl', ...small]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^uk {2}expected: \d+ requests \(1 taxonomy, \d+ pages, 15 details\), about /m);
  const { regions } = await planOf('--now', '2026-03-01');
  expect(regions[0]).toMatchObject({ state: 'certified', requests: { total: 0 }, seconds: 0, deferred_details: 0 });
  expect((await run(['--now', '2026-03-01', 'plan', ...small])).stderr).toContain(
    'United Kingdom: the night of 2026-03-01 is certified already; --again plans',
  );
  const again = await planOf('--now', '2026-03-01', '--again');
  expect(again.regions[0]!.requests.total).toBeGreaterThan(0);
  expect(await planOf('--now', '2026-03-01', '--what-if', 'rate=2')).toMatchObject(again);
});

test('plan forecasts the pages of the next night exactly, and the details that are due', async () => {
  const night = '2026-03-02';
  const { requests } = (await planOf('--now', night)).regions[0]!;
  const before = await spent(night);
  expect((await run(['--now', night, 'crawl', ...small])).code).toBe(0);
  const cost = (await spent(night)) - before;
  expect(Math.abs(cost - requests.total)).toBeLessThanOrEqual(Math.max(6, 0.1 * cost));
});

test('plan says what is expected of this month, and what any month costs', async () => {
  const { stdout, stderr } = await run(['--now', '2026-03-04', 'plan', ...small]);
  expect(stdout).toMatch(/^Region +Night +Requests +Time +Pages +Details +Details waiting\n/);
  expect(stderr).toMatch(
    /^Until 2026-04-01: \d+ requests used by all regions, about [\d,]+ expected in all; no quota is known\.$/m,
  );
  expect(stderr).toMatch(/^The next 30 nights: about [\d,]+ requests, /m);
});

test('--what-if compares other limits with the current ones, also as CSV', async () => {
  const terms = 'quota=900,rate=2,price=9,extra=0.01';
  const table = await ok('--now', '2026-03-04', 'plan', ...small, '--what-if', terms);
  expect(table).toMatch(/^current +United Kingdom .* not set /m);
  expect(table).toMatch(/^quota=900,rate=2,p\S* +United Kingdom .* USD /m);
  const csv = await ok('--now', '2026-03-04', 'plan', ...small, '--what-if', terms, '--csv');
  const [head, asItIs, whatIf] = csv.split(/\r?\n/);
  expect(head).toBe(
    'limits,region,snapshot_date,taxonomy,listing,details,total,seconds,cost,currency,deferred_details',
  );
  expect(asItIs).toMatch(/^current,uk,2026-03-04,1,/);
  expect(whatIf).toMatch(/^"quota=900,/);
  const wrong = await run(['plan', '--what-if', 'quota=many']);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('--what-if quota=many is invalid') });
});

test('plan warns in advance that a quota is not sufficient', async () => {
  const env = { GROCERY_MONTHLY_QUOTA: '150', GROCERY_REQUESTS_PER_SECOND: '20' };
  const { code, stdout } = await run(['--now', '2026-03-04', 'plan', ...small, '--json'], env);
  expect(code).toBe(0);
  const [uk] = JSON.parse(stdout).regions;
  expect(uk!.requests.details).toBe(0);
  expect(uk!.notes.join()).toMatch(/the quota leaves [\d,]+ requests for \d+ nights: tonight leaves out [\d,]+ pages/);
});

test('an open night is planned under its own date on any day', async () => {
  await openRun(book.db, { date: '2026-03-05', pages: 3 });
  const { regions } = await planOf('--now', '2026-03-06');
  expect(regions).toMatchObject([{ region: 'uk', snapshot_date: '2026-03-05', state: 'open' }]);
});
