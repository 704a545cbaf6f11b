import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readCsv } from '../../src/base/csv.ts';
import { questions } from '../../src/questions/index.ts';
import { pages } from '../../src/web/pages/index.ts';
import { book, useExplorer } from './explorer-book.ts';

const explorer = useExplorer();

interface Answer {
  readonly version: number;
  readonly book: { readonly version: number; readonly nights: Readonly<Record<string, string>> };
  readonly tables: Readonly<Record<string, { readonly rows: Record<string, unknown>[]; readonly sql: string }>>;
}

/** Parameters that a question needs, after a first one. */
const needed = (name: string) => (name === 'asof' ? '&region=uk' : '');

describe('the API', () => {
  it.each(questions.map(({ name }) => name))('the question %s returns the rows of its SQL', async (name) => {
    const path = `/api/v1/questions/${name}?limit=5${needed(name)}`;
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
    const body = await (await explorer.get(`/api/v1/questions/${name}?limit=50${needed(name)}`)).json();
    expect(shape.safeParse(body).error).toBeUndefined();
    const row = Object.values(body.tables as Answer['tables'])[0]!.rows[0];
    const described = document.components.schemas[answer.replace(/Answer$/, 'Row')];
    expect(Object.keys(row ?? described.properties)).toEqual(Object.keys(described.properties));
  });

  it.each(questions.map(({ name }) => name))('the whole table of the question %s has all its rows', async (name) => {
    const path = `/api/v1/questions/${name}`;
    const lines = await explorer.get(`${path}.ndjson?${needed(name)}`);
    const whole = (await lines.text())
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    const body = (await (await explorer.get(`${path}?limit=10000${needed(name)}`)).json()) as Answer;
    expect(body.book.nights).toEqual({ uk: book.lastNight, ie: book.lastNight });
    expect(String(body.book.version)).toBe(lines.headers.get('pricebook-version'));
    const inOrder = (rows: unknown[]) => rows.map((row) => JSON.stringify(Object.entries(row as object).sort())).sort();
    expect(inOrder(body.tables[name]!.rows)).toEqual(inOrder(whole));
    const csv = await (await explorer.get(`${path}.csv?${needed(name)}`)).text();
    expect(readCsv(csv)).toHaveLength(whole.length + 1);
  });

  it('the API refuses an invalid question and names the unknown part', async () => {
    const answer = async (address: string) => {
      const response = await explorer.get(`/api/v1/questions/${address}`);
      return [response.status, ((await response.json()) as { error: string }).error];
    };
    expect(await answer('changes?since=2026-06-09&until=2026-06-08')).toEqual([
      400,
      'The dates are in the wrong order: since 2026-06-09, until 2026-06-08.',
    ]);
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
    expect(Object.keys(document.paths)).toEqual(questions.map(({ name }) => `/api/v1/questions/${name}`));
    const { parameters } = document.paths['/api/v1/questions/movers'].get;
    expect(parameters).toContainEqual(
      expect.objectContaining({
        name: 'region',
        in: 'query',
        required: false,
        schema: expect.objectContaining({ enum: ['uk', 'ie'] }),
      }),
    );
    expect(document.paths['/api/v1/questions/asof'].get.parameters).toContainEqual(
      expect.objectContaining({ name: 'region', required: true }),
    );
  });

  it('a page and its CSV refuse texts and dates that a database cannot store', async () => {
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
          for (const address of [path.replace('/home', '/'), path.replace('?', '.csv?')]) {
            const response = await explorer.get(address);
            if (response.status !== 400 || !(await response.text()).includes(`“${name}” `)) asked.push(address);
          }
        }
      }
    }
    expect(asked).toEqual([]);
  });

  it('the API reports the mistake in a question in one line', async () => {
    const refused = await explorer.get('/api/v1/questions/movers?by=size');
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { version: 1, error: '“by” must be one of percent, amount.' },
    ]);
    for (const path of ['/api/v1/nothing', '/api/v2/questions/movers', '/api/v1?region=uk']) {
      const unknown = await explorer.get(path);
      expect([unknown.status, await unknown.json()]).toEqual([
        404,
        { version: 1, error: 'This address does not exist. /api/v1/openapi.json lists all addresses.' },
      ]);
    }
  });
});
