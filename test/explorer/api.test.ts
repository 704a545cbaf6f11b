import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readCsv } from '../../src/base/csv.ts';
import { questions } from '../../src/questions/index.ts';
import { pages } from '../../src/web/pages/index.ts';
import { addresses } from './addresses.ts';
import { book, useExplorer } from './explorer-book.ts';

const explorer = useExplorer();

interface Answer {
  readonly version: number;
  readonly book: { readonly version: number; readonly nights: Readonly<Record<string, string>> };
  readonly next: string | null;
  readonly tables: Readonly<Record<string, { readonly rows: Record<string, unknown>[]; readonly sql: string }>>;
}

/** Parameters that a question needs, after a first one. */
async function needed(name: string): Promise<string> {
  if (name === 'asof') return '&region=uk';
  if (name === 'weighted-index') {
    const [top] = await explorer.ask(`select path from marts.dim_category where region = 'uk' limit 1`);
    return `&weights=${encodeURIComponent(`${top!['path']}=1`)}`;
  }
  if (!name.startsWith('basket')) return '';
  const [product] = await explorer.ask(`select product_id from marts.product_now where region = 'uk' limit 1`);
  return `&items=${product!['product_id']}:2`;
}

/** JSON types, or formats of texts, by PostgreSQL type. */
const jsonTypes: Readonly<Record<number, string>> = {
  ...{ 16: 'boolean', 20: 'integer', 21: 'integer', 23: 'integer', 25: 'string', 701: 'number' },
  ...{ 1082: 'date', 1184: 'date-time', 1700: 'decimal' },
};

const apiPath = (path: string) => `/api/v1${path.replace(/^\/(?=$|\?)/, '/home')}`;

describe('the API', () => {
  it.each(pages.map(({ path }) => path))('the API returns for %s the rows of its SQL', async (path) => {
    for (const address of (await addresses[path]?.(explorer)) ?? [path]) {
      const response = await explorer.get(apiPath(address));
      expect([address, response.status]).toEqual([address, 200]);
      const { version, book: state, tables } = (await response.json()) as Answer;
      expect([version, state.nights]).toEqual([1, { uk: book.lastNight, ie: book.lastNight }]);
      for (const { rows, sql } of Object.values(tables)) {
        expect(rows).toEqual(JSON.parse(JSON.stringify(await explorer.ask(sql))));
      }
    }
  });

  it.each(questions.map(({ name }) => name))('the question %s returns the rows of its SQL', async (name) => {
    const path = `/api/v1/questions/${name}?limit=5${await needed(name)}`;
    const response = await explorer.get(path);
    const { version, tables } = (await response.json()) as Answer;
    expect([response.status, version, Object.keys(tables)]).toEqual([200, 1, [name]]);
    const { rows, sql } = tables[name]!;
    expect(rows.length).toBeLessThanOrEqual(name === 'movers' ? 10 : 5);
    expect(rows).toEqual(JSON.parse(JSON.stringify(await explorer.ask(sql))));
  });

  it.each(questions.map(({ name }) => name))('types the rows of the question %s in its document', async (name) => {
    const document = await (await explorer.get('/api/v1/openapi.json')).json();
    const response = document.paths[`/api/v1/questions/${name}`].get.responses['200'];
    const answer = response.content['application/json'].schema.$ref.split('/').at(-1);
    const { $defs, ...schema } = { ...document.components.schemas[answer], $defs: document.components.schemas };
    const inDefs = (value: unknown) =>
      JSON.parse(JSON.stringify(value).replaceAll('#/components/schemas/', '#/$defs/'));
    const shape = z.fromJSONSchema(inDefs({ ...schema, $defs }));
    const body = await (await explorer.get(`/api/v1/questions/${name}?limit=10000${await needed(name)}`)).json();
    expect(shape.safeParse(body).error).toBeUndefined();
    const { properties } = document.components.schemas[answer.replace(/Answer$/, 'Row')];
    const { fields } = await explorer.db.query((body.tables as Answer['tables'])[name]!.sql);
    const types = fields.map(({ name, dataTypeID }) => [name, jsonTypes[dataTypeID]]);
    const described = Object.entries<{ type: string | string[]; format?: string }>(properties);
    expect(Object.fromEntries(described.map(([name, { type, format }]) => [name, format ?? [type].flat()[0]]))).toEqual(
      Object.fromEntries(types),
    );
  });

  it.each(questions.map(({ name }) => name))(
    'walks the question %s by `next` as its whole table has it',
    async (name) => {
      const path = `/api/v1/questions/${name}`;
      const lines = await explorer.get(`${path}.ndjson?${await needed(name)}`);
      const whole = (await lines.text())
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
      const walked: unknown[] = [];
      for (let next: string | null = `${path}?limit=50${await needed(name)}`; next !== null; ) {
        const body = (await (await explorer.get(next)).json()) as Answer;
        expect(String(body.book.version)).toBe(lines.headers.get('pricebook-version'));
        walked.push(...body.tables[name]!.rows);
        next = body.next;
      }
      const inOrder = (rows: unknown[]) =>
        rows.map((row) => JSON.stringify(Object.entries(row as object).sort())).sort();
      expect(inOrder(walked).length).toBe(whole.length);
      expect(inOrder(walked).filter((row, i) => row !== inOrder(whole)[i])).toEqual([]);
      const csv = await (await explorer.get(`${path}.csv?${await needed(name)}`)).text();
      expect(readCsv(csv)).toHaveLength(whole.length + 1);
    },
  );

  it('the API refuses an invalid question and names the unknown part', async () => {
    const answer = async (address: string) => {
      const response = await explorer.get(`/api/v1/questions/${address}`);
      return [response.status, ((await response.json()) as { error: string }).error];
    };
    expect(await answer('changes?since=2026-06-09&until=2026-06-08')).toEqual([
      422,
      'The dates are in the wrong order: since 2026-06-09, until 2026-06-08.',
    ]);
    expect(await answer('changes?region=')).toEqual([400, '“region” is empty.']);
    expect(await answer('changes?cursor=none')).toEqual([404, expect.stringMatching(/^There is no page/)]);
    expect(await answer('changes?min_pct=ten')).toEqual([400, '“min_pct” must be a number, such as 5 or 0.5.']);
    expect(await answer('asof')).toEqual([400, '“region” must be one of uk, ie.']);
    expect(await answer('promotions?category=Moon+Rocks')).toEqual([
      404,
      expect.stringMatching(/^No category is called "Moon Rocks"/),
    ]);
  });

  it('the OpenAPI document describes every path, parameter and allowed value', async () => {
    const document = await (await explorer.get('/api/v1/openapi.json')).json();
    expect(document.openapi).toBe('3.1.0');
    const asked = questions.map(({ name }) => `/api/v1/questions/${name}`);
    expect(Object.keys(document.paths)).toEqual([...pages.map(({ path }) => apiPath(path)), ...asked]);
    const { parameters } = document.paths['/api/v1/products'].get;
    expect(parameters).toContainEqual(
      expect.objectContaining({
        name: 'region',
        in: 'query',
        required: false,
        schema: expect.objectContaining({ enum: ['uk', 'ie'] }),
      }),
    );
    expect(document.paths['/api/v1/product'].get.parameters).toContainEqual(
      expect.objectContaining({ name: 'id', required: true }),
    );
  });

  it('the API refuses texts and dates that a database cannot store, as the page and its CSV do', async () => {
    const asked: string[] = [];
    for (const page of pages) {
      const { properties = {} } = z.toJSONSchema(page.parameters, { io: 'input', unrepresentable: 'any' });
      for (const [name, schema] of Object.entries(properties)) {
        const { type, format } = schema as { type?: string; format?: string };
        if (type !== 'string' || 'enum' in (schema as object)) continue;
        const values = format === 'date' ? ['%00', '0000-02-03', '2026-01-01%00'] : ['%00', 'milk%00'];
        for (const value of values) {
          const needed = page.path === '/product' && name !== 'id' ? 'id=1&' : '';
          const path = `${page.path === '/' ? '/home' : page.path}?${needed}${name}=${value}`;
          for (const address of [`/api/v1${path}`, path.replace('/home', '/'), path.replace('?', '.csv?')]) {
            const response = await explorer.get(address);
            if (response.status !== 400 || !(await response.text()).includes(`“${name}” `)) asked.push(address);
          }
        }
      }
    }
    expect(asked).toEqual([]);
  });

  it('the API reports the mistake in a question in one line', async () => {
    const refused = await explorer.get('/api/v1/products?sort=random');
    expect(refused.status).toBe(400);
    expect(((await refused.json()) as { error: string }).error).toMatch(/^“sort” must be one of [a-z, -]+\.$/);
    for (const category of ['x', '1.5', '0', '2147483648']) {
      const keyed = await explorer.get(`/api/v1/products?category=${category}`);
      expect([keyed.status, await keyed.json()]).toEqual([
        400,
        { version: 1, error: '“category” must be the key of a category.' },
      ]);
    }
    for (const path of ['/api/v1/nothing', '/api/v2/products', '/api/v1?region=uk']) {
      const unknown = await explorer.get(path);
      expect([unknown.status, await unknown.json()]).toEqual([
        404,
        { version: 1, error: 'This address does not exist. /api/v1/openapi.json lists all addresses.' },
      ]);
    }
    const absent = await explorer.get('/api/v1/product?id=absent');
    expect([absent.status, await absent.json()]).toEqual([
      404,
      { version: 1, error: 'There is no product absent in region uk.' },
    ]);
  });
});
