import { expect, test } from 'vitest';
import { useInstallation } from '../support/queue-backends.ts';
import { useCliHome } from './pricebook.ts';

const { run, start } = useCliHome({ book: useInstallation() });
const small = ['--items', '120', '--max-details', '5'];

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(args);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout);
}

test('a crawl of both regions prints one line per region to stdout and nothing else', async () => {
  const { code, stdout, stderr } = await start(['--now', '2026-03-01', 'crawl', ...small]).ended;
  // In the order in which they were done.
  expect(stdout.trim().split('\n').sort()).toEqual([
    expect.stringMatching(/^ie 2026-03-01: complete, /),
    expect.stringMatching(/^uk 2026-03-01: complete, 1[012]\d products listed /),
  ]);
  expect(stderr).toContain('reading the pages');
  // A lock renewed late on a busy machine is worth a warning.
  expect(stderr).not.toMatch(/"level":(50|60)|^error: /m);
  expect(code).toBe(0);
});

test('a certified night is not crawled again, which is reported, and no request is sent', async () => {
  const spent = async () => (await json('--now', '2026-03-01', 'status', '--json')).listings[0]!.requests_spent;
  const before = await spent();
  const { code, stdout, stderr } = await run(['--now', '2026-03-01', 'crawl', ...small]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toMatch(/^uk 2026-03-01 is certified already \(complete, \d+ products listed\).*--again/m);
  expect(stderr).toMatch(/^ie 2026-03-01 is certified already/m);
  expect(await spent()).toBe(before);
});

test('--again creates another run without changes', async () => {
  const before = await json('asof', '--region', 'uk', '--date', '2026-03-01', '--json');
  const { code } = await run(['--now', '2026-03-01', 'crawl', '--region', 'uk', '--again', ...small]);
  expect(code).toBe(0);
  expect(await json('asof', '--region', 'uk', '--date', '2026-03-01', '--json')).toEqual(before);
});

test('the next night contains the changes', async () => {
  const { code } = await run(['crawl', '--region', 'uk', '--now', '2026-03-02T02:00:00Z', ...small]);
  expect(code).toBe(0);
  const { version, rows } = await json('changes', '--region', 'uk', '--since', '2026-03-02', '--json');
  expect(version).toBe(1);
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    expect(row).toMatchObject({ region: 'uk', snapshot_date: '2026-03-02', currency: 'GBP' });
    expect(row['old_price']).toMatch(/^\d+\.\d\d$/);
    expect(row['new_price']).not.toBe(row['old_price']);
  }
  expect((await json('changes', '--region', 'ie', '--json')).rows).toEqual([]);
});

test('asof uses the last night up to the date and names it', async () => {
  const args = ['asof', '--region', 'ie', '--date', '2026-03-09', '--json', '--limit', '2'];
  const { code, stdout, stderr } = await run(args);
  expect(code).toBe(0);
  const { rows } = JSON.parse(stdout);
  expect(rows.map((row: Record<string, unknown>) => row['snapshot_date'])).toEqual(['2026-03-01', '2026-03-01']);
  expect(stderr).toBe('Night of 2026-03-01, the last one up to 2026-03-09.\n');
});

test('asof shows one product, a short table, or everything as CSV', async () => {
  const { rows } = await json('asof', '--region', 'uk', '--date', '2026-03-02', '--json');
  const some = rows[7]!;
  const one = await json(
    ...['asof', '--region', 'uk', '--date', '2026-03-02', '--product', String(some['product_id']), '--json'],
  );
  expect(one.rows).toEqual([some]);

  const table = await run(['asof', '--region', 'uk', '--date', '2026-03-02']);
  expect(table.stdout.trim().split('\n').slice(22)).toEqual([expect.stringMatching(/^Empty here: \w+/)]);
  expect(table.stderr).toContain(`: 20 of ${rows.length} rows.\n--limit N shows more, --csv and --json show all.`);

  const csv = await run(['asof', '--region', 'uk', '--date', '2026-03-02', '--csv']);
  const lines = csv.stdout.trim().split('\r\n');
  expect(lines[0]).toBe(Object.keys(some).join(','));
  // The columns of marts.as_of, in its order.
  expect(lines[0]).toBe(
    'region,snapshot_date,product_id,product_key,title,price,currency,unit_price,unit_of_measure,' +
      'loyalty_price,availability,on_promotion,department',
  );
  expect(some['product_key']).toEqual(expect.any(Number));
  expect(lines).toHaveLength(rows.length + 1);
});

test('runs lists runs newest first', async () => {
  const { version, runs } = await json('runs', '--json');
  expect(version).toBe(2);
  const told = runs.map((of: Record<string, string>) => `${of['region']} ${of['snapshot_date']} ${of['certificate']}`);
  expect(told[0]).toBe('uk 2026-03-02 complete');
  expect(told.sort()).toEqual([
    'ie 2026-03-01 complete',
    'uk 2026-03-01 complete',
    'uk 2026-03-01 complete',
    'uk 2026-03-02 complete',
  ]);
  const newest = await json('runs', '--region', 'uk', '--limit', '1', '--json');
  expect(newest.runs).toEqual([runs[0]]);
});

test("status shows the last and the next night of each region and the month's spend", async () => {
  const status = await json('--now', '2026-03-02T09:00:00Z', 'status', '--json');
  expect(status).toMatchObject({
    version: 2,
    next_nights: [{ begins_at: '2026-03-03T02:00:00.000Z' }, { region: 'ie' }],
    regions: [
      {
        region: 'uk',
        open: null,
        last_night: { snapshot_date: '2026-03-02', certificate: 'complete' },
        missed_nights: [],
      },
      { region: 'ie', open: null, last_night: { snapshot_date: '2026-03-01' } },
    ],
    listings: [{ listing: 'grocery', state: 'ok', requests_spent: expect.any(Number) }],
    workers_alive: 0,
    quarantined: 0,
  });
  expect(status['listings']![0]!['requests_spent']).toBeGreaterThan(50);
  const { stdout } = await run(['--now', '2026-03-02T01:00:00Z', 'status']);
  expect(stdout).toMatch(/^uk 2026-03-02: .*\nie 2026-03-01: .*: uk 2026-03-03 at 02:00, ie 2026-03-02 at /s);
});

test('a night before the last one is refused with advice, because history is append-only', async () => {
  const { code, stderr } = await run(['--now', '2026-02-01', 'crawl', '--region', 'uk', ...small]);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^pricebook: The last run of uk .* 2026-03-02;.*--now 2026-03-02.*PRICEBOOK_HOME.* pricebook -- reset`.*\n$/m,
  );
});
