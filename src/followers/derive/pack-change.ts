import type { Askable, Transaction } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { PackSize } from '../../source/normalise/pack-measure.ts';
import { certifiedNights } from './certified-nights.ts';
import type { CertifiedNight, Derivation } from './derivation.ts';
import { judgePackChange, type PackOnShow, sizeChange } from './judge-pack-change.ts';
import { collectMoves, relaunchesOf } from './relaunch.ts';
import { type ConfirmedChange, isListedAt, type Shown } from './shown.ts';

/**
 * Packs that hold another amount than before. A night confirms what the second certified night before it showed first:
 * what lasts three nights is no slip. Both sides of a change are read by the reader of today, so a new reader makes
 * none.
 */
export const packChange: Derivation = {
  name: 'pack-change',

  async forget(tx, region, from) {
    await tx.query('delete from derived.pack_change where region = $1 and confirmed_on >= $2', [region, from]);
  },

  async derive(tx, { region, nights }, signal) {
    const all = await certifiedNights(tx, region);
    const first = all.findIndex(({ snapshotDate }) => snapshotDate === nights[0]!.snapshotDate);
    const since = all[Math.max(0, first - 3)]!;
    await collectEvents(tx, region, since, nights.at(-1)!);
    await collectMoves(tx, region, since, nights.at(-1)!);
    for (const [index] of nights.entries()) {
      signal?.throwIfAborted();
      const [earlier, before, seen, , confirmed] = [4, 3, 2, 1, 0].map((back) => all[first + index - back]);
      if (!before || !seen || !confirmed) continue;
      const shown = { region, earlier: earlier ?? before, before, seen, confirmed };
      await write(tx, shown, await changesOf(tx, shown));
      await write(tx, shown, await relaunchesOf(tx, shown));
    }
  },
};

/** Titles and details that are new in the nights that count, once for all of them: a night then looks at a few rows. */
async function collectEvents(sql: Askable, region: string, since: CertifiedNight, last: CertifiedNight): Promise<void> {
  await sql.query('drop table if exists pg_temp.pack_event');
  await sql.query(
    `create temporary table pack_event on commit drop as
     select p.product_key, p.valid_from from catalog.product p
     where p.region = $1 and p.valid_from > $2 and p.valid_from <= $3 and p.valid_from > p.first_seen_at
     union
     select h.product_key, h.valid_from from catalog.product_history h join catalog.product p using (product_key)
     where p.region = $1 and h.valid_from > $2 and h.valid_from <= $3 and h.valid_from > p.first_seen_at
     union
     select d.product_key, d.valid_from from catalog.product_detail d join catalog.product p using (product_key)
     where p.region = $1 and d.valid_from > $2 and d.valid_from <= $3 and d.pack_size is not null`,
    [region, since.observedAt, last.observedAt],
  );
}

async function changesOf(
  tx: Transaction,
  { region, earlier, before, seen, confirmed }: Shown,
): Promise<ConfirmedChange[]> {
  const rows = await rowsOf<Candidate & Record<string, unknown>>(tx, candidates, [
    before.observedAt,
    seen.observedAt,
    confirmed.observedAt,
    earlier.observedAt,
    region,
  ]);
  return rows.flatMap((row) => {
    // When it was seen first, the title or the details changed; when it was confirmed, they were still the same.
    const now = onShow(row.confirmed);
    const change = judgePackChange(onShow(row.earlier), now);
    const first = sizeChange(onShow(row.before), onShow(row.seen));
    if (!change || first === null || first.by !== change.evidence[0] || first.to.size !== change.newSize) return [];
    const prices = { oldPriceMinor: row.before.priceMinor, newPriceMinor: row.seen.priceMinor ?? now.priceMinor };
    return [{ ...change, ...prices, productKey: row.productKey, formerKey: null, changedAt: row.changedAt }];
  });
}

interface Shape {
  readonly title: string;
  readonly gtin: string | null;
  readonly listedSize: number | string | null;
  readonly listedMeasure: PackSize['measure'] | null;
  readonly listedCount: number | null;
  readonly priceMinor: number | null;
  readonly unitPrice: number | null;
  readonly unitOfMeasure: string | null;
}

interface Candidate {
  readonly productKey: number;
  readonly changedAt: Date;
  readonly earlier: Shape;
  readonly before: Shape;
  readonly seen: Shape;
  readonly confirmed: Shape;
}

function onShow({ listedSize, listedMeasure, listedCount, ...shape }: Shape): PackOnShow {
  const isListed = listedSize !== null && listedMeasure !== null;
  return {
    ...shape,
    listed: isListed ? { size: String(listedSize), measure: listedMeasure, count: listedCount } : null,
  };
}

const shapeAt = (instant: string) => `(
  select jsonb_build_object('title', coalesce(former.title, p.title), 'gtin', case when former.product_key is null then p.gtin else former.gtin end,
    'listedSize', d.pack_size, 'listedMeasure', d.pack_measure, 'listedCount', d.pack_count,
    'priceMinor', price.price_minor, 'unitPrice', price.unit_price, 'unitOfMeasure', price.unit_of_measure)
  from (values (1)) as one
  left join catalog.product_history former
    on former.product_key = p.product_key and former.valid_from <= ${instant} and former.valid_to > ${instant}
  left join catalog.product_detail d
    on d.product_key = p.product_key and d.valid_from <= ${instant} and (d.valid_to is null or d.valid_to > ${instant})
  left join catalog.price_spell price
    on price.product_key = p.product_key and price.valid_from <= ${instant} and (price.valid_to is null or price.valid_to > ${instant}))`;

const candidates = `
  select p.product_key as "productKey", event.changed_at as "changedAt", ${shapeAt('greatest($4, p.first_seen_at)')} as earlier,
    ${shapeAt('greatest($1, p.first_seen_at)')} as before, ${shapeAt('$2')} as seen, ${shapeAt('$3')} as confirmed
  from (
    select product_key, max(valid_from) as changed_at from pack_event where valid_from > $1 and valid_from <= $2 group by product_key
  ) as event
  join catalog.product p using (product_key)
  where p.region = $5 and ${isListedAt('p.product_key', '$3::timestamptz')}
  order by p.product_key`;

async function write(
  tx: Transaction,
  { region, seen, confirmed }: Shown,
  found: readonly ConfirmedChange[],
): Promise<void> {
  for (const each of found) {
    const { productKey, formerKey, changedAt, route, measure, oldSize, newSize, oldPriceMinor, newPriceMinor } = each;
    await tx.query(
      `insert into derived.pack_change (region, product_key, former_product_key, changed_at, snapshot_date, confirmed_on, route, measure,
         old_size, new_size, old_price_minor, new_price_minor, evidence, score)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
       on conflict (product_key, snapshot_date) do nothing`,
      [
        ...[region, productKey, formerKey, changedAt, seen.snapshotDate, confirmed.snapshotDate, route, measure],
        ...[oldSize, newSize, oldPriceMinor, newPriceMinor, each.evidence.join(', '), each.score],
      ],
    );
  }
}
