import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findViolations } from '../../src/followers/audits/invariants/check-invariants.ts';
import { invariants } from '../../src/followers/audits/invariants/index.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { openDirectBook } from '../trust/direct-book.ts';

/** A statement that breaks a promise in a healthy catalogue of a few nights; `:table` is the history's own. */
const breaks: Readonly<Record<string, string>> = {
  'of every product it is known what it is now, and only of products': `
    delete from catalog.product_current where ctid = (select min(ctid) from catalog.product_current)`,
  'a product has at most one open row': `
    insert into :table select (h).*
    from (
      select jsonb_populate_record(h, jsonb_build_object('valid_from', '1999-01-01T00:00Z')) as h
      from :table h
      where valid_to is null
      limit 1) as s`,
  'every interval begins before it ends': `
    update :table set valid_to = valid_from - interval '1 day' where ctid = (select min(ctid) from :table)`,
  'no two intervals overlap': `
    insert into :table select (h).*
    from (
      select jsonb_populate_record(h,
        jsonb_build_object('valid_from', h.valid_from - interval '1 day', 'valid_to',
          h.valid_from + interval '1 day')) as h
      from :table h
      limit 1) as s`,
  'no two intervals in a row say the same': `
    insert into :table select (h).*
    from (
      select jsonb_populate_record(h,
        jsonb_build_object('valid_from', h.valid_from - interval '1 day', 'valid_to', h.valid_from)) as h
      from :table h
      limit 1) as s`,
  "intervals begin and end at the instant of a published run of the product's region": `
    update :table set valid_from = valid_from - interval '1 second' where ctid = (select min(ctid) from :table)`,

  'prices and availability are known without a gap since the product was first seen': `
    update catalog.product set first_seen_at = first_seen_at - interval '1 day'`,
  'a product belongs to a region that is known': `
    update catalog.product set region = 'fr' where ctid = (select min(ctid) from catalog.product)`,
  "a product's availability and its flag for sale agree while it is listed": `
    update catalog.product set is_for_sale = not is_for_sale`,
  'prices are whole, positive pence or cents, and unit prices positive numbers': `
    update catalog.price_history set unit_price = 'NaN' where ctid = (select min(ctid) from catalog.price_history)`,
  'what promotions promise is positive': `
    update catalog.promotion set loyalty_price_minor = 0 where ctid = (select min(ctid) from catalog.promotion)`,
  'barcodes have 14 digits': `update catalog.product set gtin = '123'`,
  'texts hold no control characters': `update catalog.product set title = title || E'\\x1b'`,
  'details that have a nutrition table are there': `
    delete from catalog.product_detail where product_key in (select product_key from catalog.product_nutrition)`,

  'every published run has its certificate, and the same verdict in both places': `
    update ops.certificate set verdict = 'partial'`,
  'a complete run has no reason against it, every other one has': `
    update ops.certificate set reasons = '{"it rained"}'`,
  'a complete run has read every page it planned': `
    update ops.category_page p
    set status = 'failed'
    from ops.category_crawl c
    where c.run_id = p.run_id and c.category_no = p.category_no and not c.is_sample`,
  'a complete run has seen as many products of each category as it declares': `
    update ops.category_crawl set declared_last = distinct_seen + 1`,
  'a certified run read a taxonomy and walked it': `delete from ops.category_crawl`,
  'products become absent or delisted in certified runs only': `update ops.run set verdict = 'partial'`,
  'a product is absent before it is delisted, where that takes more than one night': `
    update catalog.availability_history set availability = 'delisted' where availability = 'absent'`,
  "the last run's figures are what the catalogue holds": `update ops.run set products_listed = products_listed + 1`,
  'runs of a region go forward in time': `
    update ops.run set observed_at = '2030-01-01' where run_id = (select min(run_id) from ops.run)`,
  "a run belongs to the date its instant has in the region's time zone": `
    update ops.run set snapshot_date = snapshot_date + 1`,
  'a published run is over, an open one is not': `update ops.run set phase = 'finishing'`,
  'a published run was staged against the one published before it': `
    update ops.run set base_run_id = run_id, base_epoch = 1`,
  'an open run waits for something it names, or somebody works on it': `
    update ops.run set status = 'open', verdict = null where run_id = (select max(run_id) from ops.run)`,

  'a request counts at least once against the limits': `update ops.spend set units = sent - 1 where sent > 1`,
  'a page that was read says what came and from which payload': `update ops.category_page set payload_sha256 = null`,
  'no page shows more distinct products than items': `update ops.category_page set items_received = 0`,
  'the pages planned for a category that is walked are those of its plan': `
    delete from ops.category_page where page_no = 2`,
  'a run that is over has no work planned or in progress': `
    update ops.category_page set status = 'planned' where page_no = 1`,
  'details that were found have their payload': `update ops.detail_fetch set payload_sha256 = null`,
  'no page or detail is leased to a worker that is dead': `update ops.detail_fetch set worker_id = gen_random_uuid()`,
  'what runs staged is gone once the next run of the region was published': `
    insert into stage.promotion (run_id, promotion_hash, description, kind)
    select min(run_id), gen_random_uuid(), 'x', 'unknown'
    from ops.run`,
  'only the last runs of a region keep what their pages saw': `
    insert into ops.run (region, snapshot_date, observed_at, status, phase, max_details, origin, started_at, verdict,
      finished_at)
    select region, snapshot_date + n, observed_at + n * interval '1 day', 'published', 'over', 0, 'command', started_at,
      'partial', started_at
    from ops.run, generate_series(9, 14) as n`,

  "every page of the last night was archived before it was read, and its body's place is known": `
    delete from ops.payload_body where sha256 in (select payload_sha256 from ops.category_page)`,
  'so was every detail': `delete from ops.payload_body where sha256 in (select payload_sha256 from ops.detail_fetch)`,
  'what is in quarantine and not healed can be read again': `
    insert into ops.quarantine (run_id, endpoint, path, reason, payload_sha256, seen_at)
    select max(run_id), 'x', '$', 'x', '\\x00', now()
    from ops.run`,
  'every payload has a body': `delete from ops.payload_body`,
  'no two bodies share bytes of a pack': `update ops.payload_body set stored_bytes = stored_bytes + 1`,

  'no more requests have an outcome than were sent': `update ops.spend set ok = ok + 1`,
  'no count of requests is negative': `update ops.spend set failed = -1`,
  'a run was charged no more than was sent for it': `update ops.run set requests_spent = requests_spent + 1`,
  'every page and detail that was read was paid for': `delete from ops.spend`,
  'a quota is never overdrawn into the negative, and its period goes forward': `
    update ops.listing set used = -1 where listing = 'grocery'`,
};

describe('the invariants', () => {
  const installation = useInstallation();
  let simulator: Simulator;
  beforeAll(async () => {
    // Much happens in five nights: products vanish, come back, change their title, price and promotions.
    simulator = await createSimulator({
      items: 240,
      superDepartments: 5,
      dailyChange: 0.2,
      dailyTurnover: 0.01,
      flicker: 0.02,
    });
    const { databaseUrl, queue } = installation;
    const env = { DATABASE_URL: databaseUrl, ...queue, ARCHIVE: 'file' };
    const book = await openDirectBook({ upstream: simulator.url, env, maxDetails: 10 });
    for (const date of ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05']) {
      simulator.change({ date });
      await book.night('uk', date);
    }
    await book.close();
    // The simulator never renames a product.
    await installation.db.query(
      `insert into catalog.product_history (product_key, title, valid_from, valid_to)
       select product_key, 'Before', first_seen_at, (select max(observed_at) from ops.run)
       from catalog.product
       order by product_key
       limit 1`,
    );
  });
  afterAll(() => simulator?.close());

  test('the invariants hold after five nights', async () => {
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  test.each(Object.values(invariants).flat())('a violation is detected: $says', async ({ says }) => {
    const [, table, promise] = /^(\w+): (.*)$/.exec(says) ?? [null, '', says];
    const stored = table?.replace('_spell', '_history');
    const statement = breaks[promise!]?.replaceAll(':table', `catalog.${stored}`);
    expect(statement, `nothing is known that breaks "${promise}"`).toBeDefined();
    const undo = new Error('undo');
    let found: string[] = [];
    await installation.db
      .tx(async (tx) => {
        await tx.query('set local session_replication_role = replica');
        if (stored) await tx.query(`alter table catalog.${stored} drop constraint if exists ${stored}_interval`);
        const { rowCount } = await tx.query(statement!);
        expect(rowCount, 'nothing was there to break').toBeGreaterThan(0);
        found = (await findViolations(tx)).map((violation) => violation.says);
        throw undo;
      })
      .catch((error) => {
        if (error !== undo) throw error;
      });
    expect(found).toContain(says);
  });
});
