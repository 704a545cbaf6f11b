import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readCsv } from '../../src/base/csv.ts';
import { questions } from '../../src/questions/index.ts';
import { namesOf } from '../../src/web/kernel/page.ts';
import { pages } from '../../src/web/pages/index.ts';
import { addresses } from './addresses.ts';
import { book, useExplorer } from './explorer-book.ts';

const explorer = useExplorer();

interface Answer {
  readonly version: number;
  readonly book: { readonly version: number; readonly nights: Readonly<Record<string, string>> };
  readonly next: string | null;
  readonly rows: Record<string, unknown>[];
  readonly sql: string;
}

/** Parameters that a question needs, after a first one. */
async function needed(name: string): Promise<string> {
  const address = (await addresses[`/${name === 'prices' ? 'product' : name}`]?.(explorer))?.[0] ?? '';
  return /[?&](region|items|products?)=/.test(address) ? `&${address.split('?')[1]}` : '';
}

/** JSON types, or formats of texts, by PostgreSQL type. */
const jsonTypes: Readonly<Record<number, string>> = {
  ...{ 16: 'boolean', 20: 'integer', 21: 'integer', 23: 'integer', 25: 'string', 701: 'number' },
  ...{ 1082: 'date', 1184: 'date-time', 1700: 'decimal' },
};

describe('the API', () => {
  it.each(questions.map(({ name }) => name))(
    'the question %s returns the rows of its SQL, of the types in its document',
    async (name) => {
      const document = await (await explorer.get('/api/v1/openapi.json')).json();
      const response = document.paths[`/api/v1/questions/${name}`].get.responses['200'];
      const answer = response.content['application/json'].schema.$ref.split('/').at(-1);
      const { $defs, ...schema } = { ...document.components.schemas[answer], $defs: document.components.schemas };
      const inDefs = (value: unknown) =>
        JSON.parse(JSON.stringify(value).replaceAll('#/components/schemas/', '#/$defs/'));
      const shape = z.fromJSONSchema(inDefs({ ...schema, $defs }));
      const body: Answer = await (
        await explorer.get(`/api/v1/questions/${name}?limit=500${await needed(name)}`)
      ).json();
      expect(body).toMatchObject({ version: 1, book: { nights: { uk: book.lastNight, ie: book.lastNight } } });
      expect(body.rows).toEqual(JSON.parse(JSON.stringify(await explorer.ask(body.sql))));
      expect(shape.safeParse(body).error).toBeUndefined();
      const { properties } = document.components.schemas[answer.replace(/Answer$/, 'Row')];
      const { fields } = await explorer.db.query(body.sql);
      const types = fields.map(({ name, dataTypeID }) => [name, jsonTypes[dataTypeID]]);
      const described = Object.entries<{ type: string | string[]; format?: string }>(properties);
      expect(
        Object.fromEntries(described.map(([name, { type, format }]) => [name, format ?? [type].flat()[0]])),
      ).toEqual(Object.fromEntries(types));
    },
  );

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
        walked.push(...body.rows);
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
    expect(await answer('find?sort=random')).toEqual([
      400,
      expect.stringMatching(/^“sort” must be one of [a-z, -]+\.$/),
    ]);
    expect(await answer('nothing')).toEqual([404, expect.stringMatching(/^This address does not exist/)]);
    expect(await answer('promotions?category=Moon+Rocks')).toEqual([
      404,
      expect.stringMatching(/^No category of uk is called "Moon Rocks"/),
    ]);
  });

  it('the API and the pages refuse texts and dates that a database cannot store', async () => {
    const asked: string[] = [];
    for (const question of questions) {
      const { path } = pages.find((page) => namesOf(page).includes(question.name) && page.path !== '/')!;
      const given = new URLSearchParams(await needed(question.name));
      const { properties = {} } = z.toJSONSchema(question.parameters, { io: 'input', unrepresentable: 'any' });
      for (const [name, schema] of Object.entries(properties)) {
        const { type, format } = schema as { type?: string; format?: string };
        if (type !== 'string' || 'enum' in (schema as object)) continue;
        for (const value of format === 'date' ? ['\0', '0000-02-03', '2026-01-01\0'] : ['\0', 'milk\0']) {
          given.set(name, value);
          for (const address of [`/api/v1/questions/${question.name}?${given}`, `${path}?${given}`]) {
            const response = await explorer.get(address);
            if (response.status !== 400 || !/“.+” (must|contains)/.test(await response.text())) asked.push(address);
          }
        }
        given.delete(name);
      }
    }
    expect(asked).toEqual([]);
  });

  it('a parameter that a question needs is named when it is missing', async () => {
    for (const [name, parameter] of [
      ['prices', 'product'],
      ['unit-price-rank', 'product'],
      ['watch', 'products'],
    ]) {
      const json = await explorer.get(`/api/v1/questions/${name}`);
      const refused = { version: 1, error: `“${parameter}” must be given.` };
      expect([name, json.status, await json.json()]).toEqual([name, 400, refused]);
    }
    const page = await explorer.get('/unit-price-rank');
    expect([page.status, (await page.text()).includes('name="product"')]).toEqual([200, true]);
  });

  it('readers that leave before the first row give their places back', async () => {
    // A reader waits for a lock for two seconds only.
    const waiting = `select max(waitstart)::text as last from pg_locks where relation = 'catalog.product'::regclass`;
    const last = async (before?: string) => (await explorer.db.query(waiting)).rows[0]!['last'] ?? before;
    await explorer.db.tx(async (tx) => {
      await tx.query('lock table catalog.product in access exclusive mode');
      // As many as the explorer has connections.
      for (let i = 1; i <= 6; i += 1) {
        const [leaving, before] = [new AbortController(), await last()];
        // A compressed answer is read even if nobody takes it.
        const asked = fetch(`${explorer.url}/api/v1/questions/find.csv`, {
          headers: { 'accept-encoding': 'identity' },
          signal: leaving.signal,
        }).catch(() => null);
        await expect.poll(() => last(before)).not.toBe(before);
        leaving.abort();
        await asked;
      }
    });
    const status = async () => {
      const response = await explorer.get('/api/v1/questions/nights.csv');
      await response.text();
      return response.status;
    };
    await expect.poll(status).toBe(200);
  });

  it('no more whole tables are sent at once than there are places', async () => {
    const [category] = await explorer.ask<{ id: string }>('select category_id as id from marts.dim_category limit 1');
    const statuses: number[] = [];
    // The category is looked up between the question and its rows.
    const ask = async () => {
      const response = await explorer.get(`/api/v1/questions/find.csv?category=${encodeURIComponent(category!.id)}`);
      await response.text();
      statuses.push(response.status);
    };
    let asked: Promise<void>[] = [];
    await explorer.db.tx(async (tx) => {
      await tx.query('lock table catalog.product in access exclusive mode');
      asked = Array.from({ length: 8 }, ask);
      await expect.poll(() => statuses, { timeout: 5_000 }).toEqual(Array(6).fill(503));
    });
    await Promise.all(asked);
    expect(statuses.slice(6)).toEqual([200, 200]);
  });

  it('a feed has an entry for each row, with an id that stays', async () => {
    const read = async () => (await explorer.get('/api/v1/questions/changes.atom?region=uk')).text();
    const feed = await read();
    expect(feed).toMatch(/^<\?xml version="1.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www.w3.org\/2005\/Atom">/);
    const idsOf = (text: string) => [...text.matchAll(/<entry><id>([^<]+)/g)].map(([, id]) => id);
    expect(idsOf(feed).length).toBeGreaterThan(0);
    expect(new Set(idsOf(feed)).size).toBe(idsOf(feed).length);
    expect(idsOf(await read())).toEqual(idsOf(feed));
  });
});
