import { type RegionCode, regions } from '../../src/base/model/index.ts';
import type { Database } from '../../src/db/client.ts';
import { loyaltyOfferType, readPromotionText } from '../../src/source/normalise/promotion-text.ts';
import { makeSpellsWritable } from '../support/writable-spells.ts';
import type { PromotionCase } from './promotion-cases.ts';

/** The days of a region's nights, `100b` the second run of day 100, and which of their runs are not certified. */
export interface Calendar {
  readonly runs: readonly string[];
  readonly partial: readonly string[];
}

/** Writes the nights of a region, and the histories of one product a case. Product keys begin at `firstKey`. */
export async function writePromotionBook(
  db: Database,
  region: RegionCode,
  cases: readonly PromotionCase[],
  { runs, partial, firstKey }: Calendar & { readonly firstKey: number },
): Promise<void> {
  await makeSpellsWritable(db);
  await put(
    db,
    'ops.run',
    runs.map((run) => ({
      region,
      snapshot_date: dateOf(run),
      observed_at: instantOf(run),
      status: 'published',
      phase: 'over',
      run_token: 1,
      max_details: 0,
      origin: 'crawl',
      started_at: instantOf(run),
      repair_rounds: 0,
      verdict: partial.includes(run) ? 'partial' : 'complete',
    })),
    'run_id',
  );
  const last = runs.at(-1)!;
  const rows = new Map<string, Readonly<Record<string, unknown>>[]>();
  const add = (table: string, more: readonly Readonly<Record<string, unknown>>[]) =>
    rows.set(table, [...(rows.get(table) ?? []), ...more]);
  for (const [n, { prices, promotions }] of cases.entries()) {
    const product_key = firstKey + n;
    const story = prices.split(' ').map(readState);
    add('catalog.product', [
      {
        product_key,
        region,
        product_id: String(product_key),
        title: prices,
        is_for_sale: true,
        first_seen_at: instantOf(story[0]!.run),
        valid_from: instantOf(story[0]!.run),
        entry_hash: '00000000-0000-0000-0000-000000000000',
      },
    ]);
    add('catalog.availability_spell', spells(product_key, fill(story, 'availability')));
    add('catalog.price_spell', spells(product_key, fill(story, 'price')));
    for (const [place, text] of promotions.entries()) {
      const promotion_key = product_key * 10 + place;
      const { from, to, starts, ends, description } = readPromotion(text);
      const offerType = description.includes('Clubcard') ? loyaltyOfferType : null;
      const meaning = readPromotionText(description, offerType);
      add('catalog.promotion', [
        {
          promotion_key,
          region,
          promotion_hash: `00000000-0000-0000-0000-${String(promotion_key).padStart(12, '0')}`,
          description,
          offer_type: offerType,
          starts_at: starts === null ? null : midnightOf(starts, region),
          ends_at: ends === null ? null : endOf(ends, region),
          kind: meaning.kind,
          loyalty_price_minor: meaning.loyaltyPriceMinor,
          loyalty_unit_price: meaning.loyaltyUnitPrice,
          loyalty_unit_measure: meaning.loyaltyUnitMeasure,
          quantity: meaning.quantity,
          pay_quantity: meaning.payQuantity,
          deal_price_minor: meaning.dealPriceMinor,
          save_percent: meaning.savePercent,
          was_price_minor: meaning.wasPriceMinor,
          now_price_minor: meaning.nowPriceMinor,
          saving_minor: meaning.savingMinor,
        },
      ]);
      const isOver = to !== null && runOrder(to) <= runOrder(last);
      add('catalog.product_promotion', [
        { product_key, promotion_key, valid_from: instantOf(from), valid_to: isOver ? instantOf(to) : null },
      ]);
    }
  }
  for (const [table, all] of rows) await put(db, table, all);
}

/** Day 1 is 1 January 2026. */
export const dateOf = (run: string): string =>
  new Date(Date.UTC(2026, 0, Number.parseInt(run, 10))).toISOString().slice(0, 10);

const instantOf = (run: string): string => `${dateOf(run)}T${run.endsWith('b') ? '10' : '03'}:00:00Z`;
const runOrder = (run: string): number => Date.parse(instantOf(run));

/** The first instant of a day where the region is. */
function midnightOf(day: string, region: RegionCode): string {
  const utc = new Date(`${dateOf(day)}T00:00:00Z`);
  const hour = new Intl.DateTimeFormat('en-GB', {
    timeZone: regions[region].timeZone,
    hour: '2-digit',
    hourCycle: 'h23',
  });
  return new Date(utc.getTime() - Number(hour.format(utc)) * 3_600_000).toISOString();
}

/** `70`: as the day begins; `70-`: a second before. */
function endOf(said: string, region: RegionCode): string {
  const midnight = Date.parse(midnightOf(said.replace('-', ''), region));
  return new Date(said.endsWith('-') ? midnight - 1_000 : midnight).toISOString();
}

interface State {
  readonly run: string;
  readonly availability: string;
  /** Undefined: unchanged. */
  readonly price: Readonly<Record<string, unknown>> | undefined;
}

function readState(token: string): State {
  const [run = '', said = ''] = token.split(':');
  if (said === 'x') return { run, availability: 'absent', price: undefined };
  const isOut = said.startsWith('o');
  const [minor = '', unit] = (isOut ? said.slice(1) : said).split('@');
  return {
    run,
    availability: isOut ? 'unavailable' : 'available',
    price:
      minor === ''
        ? undefined
        : {
            price_minor: minor === '-' ? null : Number(minor),
            unit_price: unit ?? null,
            unit_of_measure: unit === undefined ? null : 'kg',
          },
  };
}

/** What one history says at each turn of the story. */
function fill(story: readonly State[], history: 'availability' | 'price') {
  return story.flatMap(({ run, availability, price }) => {
    if (history === 'availability') return [{ run, value: { availability } }];
    return price === undefined ? [] : [{ run, value: price }];
  });
}

/** Change-only rows. */
function spells(productKey: number, turns: readonly { run: string; value: Readonly<Record<string, unknown>> }[]) {
  const changes = turns.filter(({ value }, n) => JSON.stringify(value) !== JSON.stringify(turns[n - 1]?.value));
  return changes.map(({ run, value }, n) => ({
    product_key: productKey,
    ...value,
    valid_from: instantOf(run),
    valid_to: changes[n + 1] ? instantOf(changes[n + 1]!.run) : null,
  }));
}

function readPromotion(text: string) {
  const match = /^(\d+b?)-(\d+b?)? (?:s(\d+) )?(?:e(\d+-?) )?(.*)$/.exec(text);
  if (!match) throw new Error(`not a promotion: ${text}`);
  const [, from = '', to = null, starts = null, ends = null, description = ''] = match;
  return { from, to, starts, ends, description };
}

/** Inserts rows with the same columns at once. */
async function put(db: Database, table: string, rows: readonly Readonly<Record<string, unknown>>[], without?: string) {
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0]!).filter((column) => column !== without);
  await db.query(
    `insert into ${table} (${columns.join(', ')}) overriding system value
     select ${columns.join(', ')} from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}
