import type { Queryable } from '../../src/db/client.ts';

/**
 * Lets a test write `catalog.price_spell`, `availability_spell`, `offer_spell` and `leaf_spell` as if they were tables:
 * what lasts goes to `product_current`, the rest to the histories.
 */
export async function makeSpellsWritable(sql: Queryable): Promise<void> {
  await sql.query(`
    create schema if not exists by_hand;
    ${Object.entries(spells).map(keeping).join('\n')}`);
}

const spells = {
  price: { values: ['price_minor', 'unit_price', 'unit_of_measure'], gone: 'delete from catalog.product_current' },
  availability: { values: ['availability'], gone: 'delete from catalog.product_current' },
  leaf: { values: ['leaf_key'], gone: 'update catalog.product_current set leaf_key = null' },
  offer: {
    values: ['loyalty_price_minor'],
    gone: 'update catalog.product_current set offer_since = null, loyalty_price_minor = null',
  },
} as const;

function keeping([name, { values, gone }]: [string, (typeof spells)[keyof typeof spells]]): string {
  const columns = values.join(', ');
  const ofNew = values.map((column) => `new.${column}`).join(', ');
  const sameRow = 'product_key = old.product_key and valid_from = old.valid_from';
  return `
    create or replace function by_hand.keep_${name}() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' and old.valid_to is not null then
        delete from catalog.${name}_history where ${sameRow};
      end if;
      if tg_op = 'DELETE' then
        if old.valid_to is null then
          ${gone} where product_key = old.product_key;
        end if;
        return old;
      end if;
      if new.valid_to is not null then
        insert into catalog.${name}_history (product_key, ${columns}, valid_from, valid_to)
        values (new.product_key, ${ofNew}, new.valid_from, new.valid_to);
        if tg_op = 'UPDATE' and old.valid_to is null and '${name}' = 'offer' then
          ${gone} where product_key = old.product_key;
        end if;
        return new;
      end if;
      insert into catalog.product_current (product_key, region, availability, availability_since, price_since,
        leaf_since)
      select product_key, region, 'available', new.valid_from, new.valid_from, new.valid_from
      from catalog.product where product_key = new.product_key
      on conflict do nothing;
      update catalog.product_current set (${columns}, ${name}_since) = (${ofNew}, new.valid_from)
      where product_key = new.product_key;
      return new;
    end $$;
    create or replace trigger keep_${name} instead of insert or update or delete on catalog.${name}_spell
    for each row execute function by_hand.keep_${name}();`;
}
