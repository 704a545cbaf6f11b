import { beforeAll, describe, expect, test } from 'vitest';
import { useHousehold } from '../cli/pricebook.ts';
import { rejectingProducts } from './mistaken.ts';
import { useReplayedBook } from './replayed-book.ts';

describe('repairs by the command line', () => {
  const household = useHousehold();
  const book = useReplayedBook({ items: 100, superDepartments: 3 }, ['uk']);
  const isUnlucky = ({ productId }: { productId: string }) => productId.endsWith('7');
  beforeAll(() => book.crawl('2026-03-01', { endpointsOf: rejectingProducts(isUnlucky) }));
  const run = (...args: string[]) =>
    household.run(args, { DATABASE_URL: book.installation.databaseUrl, PRICEBOOK_HOME: book.home });
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
    expect(stdout).toMatch(/price_history +price_minor +\d+ +\d+ +uk \d+7 2026-03-01/);
    expect(stderr).toMatch(/uk 2026-03-01: partial, \d+ listed → complete, \d+ listed/);
    expect(stderr).toContain('elements would leave the quarantine');
    expect(stderr).toContain('--apply replaces the current data');
  });

  test('replay --apply repairs the nights; then nothing differs and nothing is in quarantine', async () => {
    expect((await run('replay', ...night, '--apply')).stderr).toContain('catalog_old_1');
    expect((await run('quarantine')).stderr).toContain('The quarantine is empty');
    const report = JSON.parse((await run('replay', ...night, '--json')).stdout);
    expect(report).toMatchObject({ version: 2, rows: [], differences: [], applied: false, old_copy: null });
    expect(report.nights[0]).toMatchObject({ region: 'uk', live: { certificate: 'complete' } });
    const refused = await run('replay', '--from', '2025-01-01', '--to', '2025-01-31', '--apply', '--drop-old');
    expect([refused.code, refused.stderr.includes('Deleted')]).toEqual([1, false]);
    expect((await run('replay', ...night, '--drop-old')).stderr).toContain('Deleted: catalog_old_1');
    expect((await run('replay', '--drop-old')).stderr).toContain('No earlier replay has kept rows');
    expect(JSON.parse((await run('replay', '--drop-old', '--json')).stdout)).toEqual({ version: 2, dropped: [] });
  });

  test('verifying a night that was never published fails', async () => {
    const { code, stderr } = await run('certify', '--verify', '--date', '2025-01-01');
    expect([code, stderr]).toEqual([1, 'pricebook: No published night matches: nothing was verified.\n']);
    expect((await run('certify', '--verify', '--date', '2026-03-01')).code).toBe(0);
  });

  test('prune deletes old payloads, except those of the last night', async () => {
    const { code, stdout } = await run('--now', '2027-01-01', 'prune');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '0 payloads and 0 packs deleted\n' });
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

  test('held nights are listed, whether a replay publishes them or leaves them held', async () => {
    book.simulator.change({ faults: [{ kind: 'pencePrices' }] });
    const [held] = await book.crawl('2026-03-04');
    book.simulator.change({ faults: [] });
    const replay = ['replay', '--from', '2026-03-04', '--to', '2026-03-04'];
    const stays = `Run ${held!.runId} (uk 2026-03-04) stays held and unpublished.`;
    const pages = await run(...replay, '--endpoint', 'uk-category-page', '--apply');
    expect(pages.stderr).toContain(stays);
    expect(pages.stderr).toContain('A held night is published completely, so its details were replayed as well.');
    const release = [...replay, '--release', String(held!.runId), '--why', 'dear'];
    const was = `Run ${held!.runId} (uk 2026-03-04) was held and`;
    expect((await run(...release)).stderr).toContain(`${was} would be published.`);
    expect((await run(...release, '--apply')).stderr).toContain(`${was} is published.`);
  });

  test.each([
    [['replay'], 'Name the nights'],
    [['replay', '--from', '2026-03-01'], 'Name the nights'],
    [['replay', '--from', '2026-03-02', '--to', '2026-03-01'], 'comes after'],
    [['replay', ...night, '--endpoint', 'store-list'], 'choose one of: uk-taxonomy'],
    [['replay', ...night, '--endpoint', 'uk-category-page', '--region', 'ie'], 'belongs to uk'],
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
