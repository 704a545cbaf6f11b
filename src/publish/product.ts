import type { Step } from './step.ts';

const isSame = `(p.title, p.brand, p.tpnb, p.gtin, p.image_url) is not distinct from (w.title, w.brand, w.tpnb, w.gtin, w.image_url)`;

/** New products; the old version of those whose title, brand, codes or image changed goes to `product_history`. */
export const product: Step = {
  name: 'product',
  statements: [
    `insert into catalog.product (product_key, region, product_id, tpnb, gtin, title, brand, image_url, is_for_sale, first_seen_at, valid_from, listing_hash)
     overriding system value
     select w.product_key, night.region, w.product_id, w.tpnb, w.gtin, w.title, w.brand, w.image_url, w.is_for_sale,
            night.observed_at, night.observed_at, w.listing_hash
     from winner w cross join night
     where w.is_new
     order by w.product_key`,
    `insert into catalog.product_history (product_key, valid_from, valid_to, tpnb, gtin, title, brand, image_url)
     select p.product_key, p.valid_from, night.observed_at, p.tpnb, p.gtin, p.title, p.brand, p.image_url
     from winner w join catalog.product p using (product_key) cross join night
     where not w.is_new and not ${isSame}
     order by p.product_key`,
    `update catalog.product p
     set title = w.title, brand = w.brand, tpnb = w.tpnb, gtin = w.gtin, image_url = w.image_url, is_for_sale = w.is_for_sale,
         listing_hash = w.listing_hash, valid_from = case when ${isSame} then p.valid_from else night.observed_at end
     from winner w cross join night
     where p.product_key = w.product_key and not w.is_new`,
  ],
};
