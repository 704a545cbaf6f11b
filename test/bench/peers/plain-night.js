// A night as a short script would do it: every page of every top category, then one transaction. It keeps no promise
// about faults: one failing page loses the night, and a page that comes back empty makes its products go.
import { readFileSync } from 'node:fs';
import pLimit from 'p-limit';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { Agent, fetch } from 'undici';

const { UPSTREAM, DATABASE, NIGHT } = process.env;
const inFlight = 16;
const dispatcher = new Agent({ connections: inFlight });
const limit = pLimit(inFlight);
const headers = { 'x-gateway-key': 'bench', 'x-gateway-host': 'grocery.simulator' };

/** Columns of a product as it is listed, and those among them whose history is kept. */
const states = ['price_minor', 'unit_price', 'unit_of_measure', 'is_for_sale', 'promotions'];
const columns = ['product_id', 'tpnb', 'gtin', 'title', 'brand', 'image_url', 'category_id', ...states];

const rows = new Map();
const { taxonomy } = await ask('get-category-id-for-uk');
await Promise.all(taxonomy.map(({ id }) => readCategory(id)));
await store();
await dispatcher.close();

async function ask(path) {
  const response = await fetch(`${UPSTREAM}/${path}`, { headers, dispatcher });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
  return (await response.json()).data;
}

async function readCategory(id) {
  const readPage = (pageNo) =>
    limit(async () => {
      const page = await ask(`category-page?categoryId=${encodeURIComponent(id)}&pageNo=${pageNo}`);
      for (const product of page.products) if (product) rows.set(product.id, rowOf(product));
      return page.pageInformation;
    });
  const { totalResults, resultsPerPage } = await readPage(1);
  const last = Math.ceil(totalResults / resultsPerPage);
  await Promise.all(Array.from({ length: Math.max(0, last - 1) }, (_, at) => readPage(at + 2)));
}

function rowOf({ id, tpnb, gtin, title, brand, imageUrl, categoryBreadcrumbs, price, isForSale, promotions }) {
  const shelfPrice = price?.price;
  return [
    ...[id, tpnb, gtin, title.trim(), brand, imageUrl, categoryBreadcrumbs.at(-1).id],
    shelfPrice == null ? null : Math.round(shelfPrice * 100),
    ...[price?.unitPrice, price?.unitOfMeasure, isForSale, JSON.stringify(promotions)],
  ];
}

async function store() {
  const db = new pg.Client({ connectionString: DATABASE });
  await db.connect();
  await db.query(readFileSync(new URL('schema.sql', import.meta.url), 'utf8'));
  await db.query('begin');
  await db.query(`create temporary table seen on commit drop as select ${columns} from product limit 0`);
  const copy = db.query(copyFrom(`copy seen (${columns}) from stdin`));
  for (const row of rows.values()) {
    if (!copy.write(`${row.map(copyText).join('\t')}\n`)) await new Promise((go) => copy.once('drain', go));
  }
  await new Promise((resolve, reject) => copy.on('finish', resolve).on('error', reject).end());
  await db.query('analyze seen');
  for (const statement of merge()) await db.query(statement, [NIGHT]);
  await db.query('commit');
  await db.end();
}

function copyText(value) {
  if (value == null) return '\\N';
  return String(value).replace(
    /[\\\n\r\t]/g,
    (found) => ({ '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' })[found],
  );
}

/** Close what changed or went, open what is new, then bring the products up to date. */
function merge() {
  const of = (row, names) => `(${names.map((name) => `${row}.${name}`)})`;
  return [
    `update product_history h set valid_to = $1 where valid_to is null and not exists (
       select from seen s
       where s.product_id = h.product_id and ${of('s', states)} is not distinct from ${of('h', states)})`,
    `insert into product_history (product_id, valid_from, ${states})
     select product_id, $1, ${states} from seen s where not exists (
       select from product_history h where h.product_id = s.product_id and h.valid_to is null)`,
    `update product p set gone_on = $1 where gone_on is null and not exists (
       select from seen s where s.product_id = p.product_id)`,
    `insert into product (${columns}, gone_on) select ${columns}, nullif($1::date, $1) from seen s where not exists (
       select from product p where p.product_id = s.product_id and p.gone_on is null
         and ${of('p', columns)} is not distinct from ${of('s', columns)})
     on conflict (product_id) do update set gone_on = null, ${columns.map((name) => `${name} = excluded.${name}`)}`,
  ];
}
