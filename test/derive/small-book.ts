import type { Database } from '../../src/db/client.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { daysAfter } from '../bench/night-clock.ts';
import { renewCategoryAncestors } from '../support/category-ancestors.ts';
import { insert, runRow } from '../support/insert.ts';
import { makeSpellsWritable } from '../support/writable-spells.ts';

/** A product on a night: its price in pence, and whether it is out of stock; null: not listed. */
type State = { readonly price: number; readonly isOut?: boolean } | null;

export interface SmallBook {
  readonly first: string;
  readonly nights: number;
  /** Products by department, each as it is on the night with a number. */
  readonly departments: Readonly<Record<string, readonly ((night: number) => State)[]>>;
}

/** Writes a British book in which every night is certified, and derives it. */
export async function fillSmallBook(db: Database, { first, nights, departments }: SmallBook): Promise<void> {
  const at = (night: number) => `${daysAfter(first, night)}T02:00:00Z`;
  await makeSpellsWritable(db);
  for (let night = 0; night < nights; night += 1) await insert(db, 'ops.run', [runRow(at(night))]);
  let key = 0;
  for (const [place, [name, products]] of Object.entries(departments).entries()) {
    const category = { category_key: place + 1, region: 'uk', category_id: name, name, label: 'superDepartment' };
    await insert(db, 'catalog.category', [{ ...category, depth: 0, path: name, first_seen_at: at(0) }]);
    for (const product of products) {
      key += 1;
      const states = Array.from({ length: nights }, (_, night) => product(night));
      const since = at(states.findIndex((state) => state !== null));
      await insert(db, 'catalog.product', [
        {
          ...{ product_key: key, region: 'uk', product_id: String(key), title: `Product ${key}`, is_for_sale: true },
          ...{ first_seen_at: since, valid_from: since, entry_hash: crypto.randomUUID() },
        },
      ]);
      const listed = states.map((state) => (state === null ? null : state.isOut ? 'unavailable' : 'available'));
      const beforeAbsent = listed.map((each, night) => each ?? (at(night) > since ? 'absent' : null));
      await insert(db, 'catalog.availability_spell', spellsOf(key, 'availability', beforeAbsent, at));
      await insert(
        db,
        'catalog.price_spell',
        spellsOf(
          key,
          'price_minor',
          states.map((s) => s?.price ?? null),
          at,
        ),
      );
      await insert(db, 'catalog.leaf_spell', [{ product_key: key, leaf_key: place + 1, valid_from: since }]);
    }
  }
  await renewCategoryAncestors(db);
  await deriveNights(db, 'uk');
}

/** A row for each night on which a value changes; null: none. */
function spellsOf(key: number, column: string, values: readonly unknown[], at: (night: number) => string) {
  return values.flatMap((value, night) => {
    if (value === null || value === values[night - 1]) return [];
    const next = values.findIndex((other, later) => later > night && other !== value);
    return [{ product_key: key, [column]: value, valid_from: at(night), valid_to: next < 0 ? null : at(next) }];
  });
}
