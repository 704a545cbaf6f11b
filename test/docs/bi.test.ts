import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readText, root } from '../house/source-files.ts';
import { databaseUrl } from '../support/database-url.ts';
import { type Chosen, dashboardStatements, stringsOf, templatesOf } from './bi-statements.ts';
import { sqlBlocksOf } from './examples.ts';
import { usePlayedBook } from './played-book.ts';

const pages = readdirSync(join(root, 'docs/analyse/bi'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/analyse/bi/${name}`);
const dashboard = 'integrations/grafana/dashboards/pricebook.json';
const login = 'bi_analyst_of_tests';
// The statements of the page, for a login of another name.
const [loginStatements = ''] =
  /(?: {4}(?:create|alter) role bi_analyst .+\n)+/.exec(readText('docs/analyse/bi/README.md')) ?? [];

describe('docs/analyse/bi', () => {
  const book = usePlayedBook();
  const admin = new pg.Client({ connectionString: inject('adminUrl') });
  let analyst: pg.Client;
  let chosen: Chosen;

  beforeAll(async () => {
    await admin.connect();
    await admin.query(`drop role if exists ${login}`);
    for (const statement of loginStatements.trim().split('\n')) {
      await admin.query(statement.replaceAll('bi_analyst', login).replace('…', 'pass'));
    }
    const { rows } = await book.db.query<{ name: string }>('select current_database() as name');
    const url = new URL(databaseUrl(inject('adminUrl'), rows[0]!.name));
    url.username = login;
    url.password = 'pass';
    analyst = new pg.Client({ connectionString: url.href });
    await analyst.connect();
    const departments = await analyst.query<{ path: string }>(
      `select path from marts.dim_category where region = 'uk' and depth = 0 order by 1`,
    );
    chosen = { since: '2026-03-01', until: book.lastNight, departments: departments.rows.map(({ path }) => path) };
  });
  afterAll(async () => {
    await analyst?.end();
    await admin.query(`drop role if exists ${login}`);
    await admin.end();
  });

  /** As that login, on the last night. */
  const ask = async (statement: string): Promise<Record<string, unknown>[]> =>
    (await analyst.query(statement.replaceAll(/\bcurrent_date\b/gi, `date '${book.lastNight}'`))).rows;

  const expectAnswers = async (statements: readonly { from: string; sql: string }[]) => {
    for (const { from, sql } of statements) {
      const answer = await ask(sql).catch((error: Error) => `${from}: ${error.message}`);
      expect(answer, sql).toBeInstanceOf(Array);
      expect(answer.length, `${from} shows nothing: ${sql}`).toBeGreaterThan(0);
    }
  };

  it('the page defines a login with the settings of bi_reader, because settings are not inherited', async () => {
    const { rows } = await admin.query(
      `select rolname, array(select unnest(rolconfig) order by 1) as settings
       from pg_roles
       where rolname in ('bi_reader', $1)`,
      [login],
    );
    const settings = Object.fromEntries(rows.map((row) => [row.rolname, row.settings]));
    expect(settings['bi_reader'].length).toBeGreaterThan(0);
    expect(settings[login]).toEqual(settings['bi_reader']);
    expect(await ask('select current_user as who')).toEqual([{ who: login }]);
  });

  it.each(pages)('every statement of %s returns rows', async (page) => {
    const plain = sqlBlocksOf(page).map(({ statement }) => ({ from: page, sql: statement }));
    const statements = [...plain, ...templatesOf(page, chosen), ...stringsOf(page, chosen)];
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.filter(({ sql }) => /\{\{|\[\[|\$\{|\$__|<Param|\{%/.test(sql))).toEqual([]);
    await expectAnswers(statements);
  });

  it('every mart has a key in marts.relation that names one row', async () => {
    const relations = await ask('select * from marts.relation');
    for (const { mart, columns } of relations) {
      const repeated = `select from marts.${mart} group by ${columns} having count(*) > 1`;
      const [found] = await ask(`select count(*)::int as rows from (${repeated}) as repeated`);
      expect({ mart, columns, rows: found!['rows'] }).toEqual({ mart, columns, rows: 0 });
    }
    const marts = await ask(`select distinct table_name::text as mart from information_schema.columns
      where table_schema = 'marts' and column_name = 'product_id' and table_name like 'fct%'
      except select mart from marts.relation where (columns like '%product_key%' or mart = 'fct_search_rank')`);
    expect(marts).toEqual([]);
    const without = await ask(`select table_name::text as mart from information_schema.tables
      where table_schema = 'marts' except select mart from marts.relation`);
    expect(without).toEqual([]);
  });

  describe('Grafana', () => {
    it('every variable and panel of the dashboard gets an answer', async () => {
      const statements = dashboardStatements(dashboard, chosen);
      expect(statements.length).toBeGreaterThan(8);
      await expectAnswers(statements);
    });
  });
});
