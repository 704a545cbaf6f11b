import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createPackFolder } from '../../src/crawl/archive/pack-folder.ts';
import { createArchive } from '../../src/crawl/archive/payload-archive.ts';
import { createPayloadIndex } from '../../src/crawl/ledger/payloads.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createSmallUpstream, type SmallUpstream } from '../support/small-upstream.ts';
import { knownProducts } from '../support/truth.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

const good = Array.from({ length: 30 }, (_, index) => ({ id: String(300 + index), price: 1 + index / 10 }));
const nameless = { id: '399', fields: { id: { no: 399 } } };
const priceless = { id: '398', fields: { id: null } };

describe('an element that cannot be understood', () => {
  const installation = useInstallation();
  const home = mkdtempSync(join(tmpdir(), 'pricebook-quarantine-'));
  let upstream: SmallUpstream;
  afterEach(() => upstream.close());
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  test('an unparsable element is quarantined with a reason, and the rest of its page is kept', async () => {
    upstream = await createSmallUpstream({ shelves: { Bakery: [...good, nameless, priceless] }, pageSize: 24 });
    const [run] = await crawl('2026-08-01');
    const known = await knownProducts(installation.db, 'uk', '2026-08-01');
    expect([...known.keys()].sort()).toEqual(good.map(({ id }) => id));
    expect(run!.verdict).toBe('partial');

    const rows = await rowsOf<{ path: string; reason: string; value: string; sha256: string }>(
      installation.db,
      `select path, reason, value, encode(payload_sha256, 'hex') as sha256
       from ops.quarantine
       where run_id = $1 and endpoint = 'uk-category-page'`,
      [run!.runId],
    );
    const rejected = new Map(rows.map(({ path, reason, value }) => [path, `${JSON.parse(value).title}: ${reason}`]));
    expect(Object.fromEntries(rejected)).toEqual({
      'data.products[6]': 'Product 399: id: Invalid input',
      'data.products[7]': 'Product 398: id: missing',
    });

    const packs = createPackFolder(join(home, 'archive'));
    const archive = createArchive({ packs, index: createPayloadIndex(installation.db) });
    for (const { sha256 } of rows) {
      const body = await archive.get(sha256);
      expect(createHash('sha256').update(body).digest('hex')).toBe(sha256);
      expect(JSON.parse(Buffer.from(body).toString()).data.products.length).toBe(8);
    }
  });

  test('an element leaves quarantine when it can be parsed again', async () => {
    upstream = await createSmallUpstream({
      shelves: { Bakery: [...good, { id: '399' }, { id: '398' }] },
      pageSize: 24,
    });
    const [run] = await crawl('2026-08-02');
    expect(run!.verdict).toBe('complete');
    expect((await knownProducts(installation.db, 'uk', '2026-08-02')).size).toBe(32);
  });

  test('characters that PostgreSQL cannot store never stop a page', async () => {
    const hostile = '\u0000\ud800 "quoted\\\t\r\n"';
    upstream = await createSmallUpstream({
      shelves: {
        Bakery: [
          ...good,
          {
            id: '397',
            title: `Bread ${hostile}`,
            fields: {
              brand: hostile,
              imageUrl: `https://images.example/${hostile}`,
              gtin: hostile,
              tpnb: hostile,
              promotions: [
                {
                  description: `£1 Loyal Price ${hostile}`,
                  offerType: hostile,
                  startDate: hostile,
                  endDate: '9999-99-99',
                },
                {
                  description: 'Any 99999999 for £99999999999',
                  offerType: null,
                  startDate: '0000-01-01T00:00:00Z',
                  endDate: '275760-09-13T00:00:00Z',
                },
              ],
            },
          },
          { id: '396', price: 1e9 },
          { id: '395', price: -1 },
          { id: '394', price: 0 },
        ],
      },
      pageSize: 24,
    });
    const [run] = await crawl('2026-08-03');
    expect(run!.status).toBe('published');
    const known = await knownProducts(installation.db, 'uk', '2026-08-03');
    expect(good.every(({ id }) => known.has(id))).toBe(true);
    expect(known.get('397')?.title).toMatch(/^Bread \ufffd "quoted\\/);
    const [failed] = await rowsOf(
      installation.db,
      `select count(*)::int as pages from ops.category_page where status <> 'done'`,
    );
    expect(failed).toEqual({ pages: 0 });
  });

  function crawl(date: string) {
    // Each test has its own upstream, which the database sees as one that moved.
    const crawler = { acceptNewHost: true };
    const env = { ARCHIVE: 'file' };
    return crawlDirectly({ installation, upstream: upstream.url, date, regions: ['uk'], home, env, crawler });
  }
});
