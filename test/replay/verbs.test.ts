import { beforeAll, describe, expect, test } from 'vitest';
import { useCliHome } from '../cli/pricebook.ts';
import { rejectingProducts } from './mistaken.ts';
import { useReplayedBook } from './replayed-book.ts';

describe('repairs by the command line', () => {
  const cliHome = useCliHome();
  const book = useReplayedBook({ items: 100, superDepartments: 3 }, ['uk']);
  const isUnlucky = ({ productId }: { productId: string }) => productId.endsWith('7');
  beforeAll(() => book.crawl('2026-03-01', { endpointsOf: rejectingProducts(isUnlucky) }));
  const run = (...args: string[]) =>
    cliHome.run(args, { DATABASE_URL: book.installation.databaseUrl, PRICEBOOK_HOME: book.home });
  const night = ['--from', '2026-03-01', '--to', '2026-03-01'];

  test('quarantine groups by endpoint, place and reason', async () => {
    const { code, stdout, stderr } = await run('quarantine');
    expect(code).toBe(0);
    expect(stdout).toMatch(/uk-category-page +data\.products\[\] +title: not understood +\d+/);
    expect(stderr).toContain('`npm run --silent pricebook -- replay`');
    const json = JSON.parse((await run('quarantine', '--endpoint', 'uk-category-page', '--json')).stdout);
    expect(json).toMatchObject({ version: 1, rows: [{ reason: 'title: not understood', runs: 1 }] });
    expect(json.rows[0].elements).toBeGreaterThan(5);
    expect(JSON.parse((await run('quarantine', '--region', 'ie', '--json')).stdout).rows).toEqual([]);
  });

  test('replay shows the differences, and changes nothing', async () => {
    const { code, stdout, stderr } = await run('replay', ...night);
    expect(code).toBe(0);
    expect(stdout).toMatch(/price +price_minor +\d+ +\d+ +uk \d+7 2026-03-01/);
    expect(stderr).toMatch(/uk 2026-03-01: partial, \d+ listed, \d+ in quarantine → complete, \d+ listed/);
    expect(stderr).toContain('--apply replaces the current data');
  });

  test('replay --apply repairs the nights; then nothing differs and nothing is in quarantine', async () => {
    expect((await run('replay', ...night, '--apply')).stderr).toContain('Applied.');
    expect((await run('quarantine')).stderr).toContain('The quarantine is empty');
    const report = JSON.parse((await run('replay', ...night, '--json')).stdout);
    expect(report).toMatchObject({ version: 4, differences: [], applied: false });
    expect(report.nights[0]).toMatchObject({ region: 'uk', live: { certificate: 'complete' } });
  });

  test('a release that changes only certificates is shown and applied like any other', async () => {
    // Products missing from the second pages are read from subcategories: the night is partial, and nothing is unseen.
    book.simulator.change({ faults: [{ kind: 'vendor500', pages: [2] }] });
    const [partial] = await book.crawl('2026-03-02');
    book.simulator.change({ faults: [] });
    await book.crawl('2026-03-03');
    const release = ['replay', '--from', '2026-03-02', '--to', '2026-03-03'];
    release.push('--release', String(partial!.runId), '--why', 'it saw all');
    const shown = await run(...release);
    expect(shown.stderr).toMatch(/partial, \d+ listed → complete within tolerance/);
    expect(shown.stderr).toContain('Nothing was changed; --apply replaces the current data with this result.');
    expect(shown.stderr).not.toMatch(/nothing differs|rows added/);
    expect((await run(...release, '--apply')).stderr).toContain('Applied.');
    expect((await run('runs')).stdout).toMatch(/2026-03-02.*complete.within.tolerance/);
  });

  test.each([
    [['replay'], 'Name the nights'],
    [['replay', '--from', '2026-03-01'], 'Name the nights'],
    [['replay', '--from', '2026-03-02', '--to', '2026-03-01'], 'is after'],
    [['replay', ...night, '--endpoint', 'store-list'], 'uk-taxonomy'],
    [['replay', ...night, '--endpoint', 'uk-category-page', '--region', 'ie'], 'is of another region'],
    [['replay', '--from', '2026-03-0', '--to', '2026-03-01'], 'must be a date'],
  ])('replay refuses the arguments %s', async (args, why) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(why);
  });

  test('a range without nights is refused', async () => {
    const { code, stderr } = await run('replay', '--from', '2025-01-01', '--to', '2025-01-31');
    expect(code).toBe(1);
    expect(stderr).toContain('nothing to replay');
  });
});
