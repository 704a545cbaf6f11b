import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { readText, root } from '../house/source-files.ts';
import { databaseUrl } from '../support/database-url.ts';
import { python } from '../support/python.ts';
import { blocksOf, type Chosen, dashboardStatements, stringsOf, templatesOf } from './bi-statements.ts';
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

const isThere = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
const hasPandas = isThere(python, '-c', 'import pandas, sqlalchemy, psycopg2');
const hasPolars = isThere(python, '-c', 'import polars, sqlalchemy, psycopg2');
const hasR = isThere('Rscript', '-e', 'library(DBI); if (!requireNamespace("RPostgres")) library(RPostgreSQL)');

describe('docs/analyse/bi', () => {
  const book = usePlayedBook();
  const admin = new pg.Client({ connectionString: inject('adminUrl') });
  let url: URL;
  let analyst: pg.Client;
  let chosen: Chosen;

  beforeAll(async () => {
    await admin.connect();
    await admin.query(`drop role if exists ${login}`);
    for (const statement of loginStatements.trim().split('\n')) {
      await admin.query(statement.replaceAll('bi_analyst', login).replace('…', 'pass'));
    }
    const { rows } = await book.db.query<{ name: string }>('select current_database() as name');
    url = new URL(databaseUrl(inject('adminUrl'), rows[0]!.name));
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

  it('every key of marts.relation names one row, and every reference a row that is there', async () => {
    const relations = await ask('select * from marts.relation');
    for (const { kind, mart, columns, to_mart, to_column } of relations) {
      const missing =
        kind === 'key'
          ? `select from marts.${mart} group by ${columns} having count(*) > 1`
          : `select from marts.${mart} m where ${columns} is not null
               and not exists (select from marts.${to_mart} r where r.${to_column} = m.${columns})`;
      const [found] = await ask(`select count(*)::int as rows from (${missing}) as missing`);
      expect({ mart, columns, rows: found!['rows'] }).toEqual({ mart, columns, rows: 0 });
    }
    const marts = await ask(`select distinct table_name::text as mart from information_schema.columns
      where table_schema = 'marts' and column_name = 'product_id' and table_name like 'fct%'
      except select mart from marts.relation where columns like '%product_key'`);
    expect(marts).toEqual([]);
    const without = await ask(`select table_name::text as mart from information_schema.tables
      where table_schema = 'marts' except select mart from marts.relation where kind = 'key'`);
    expect(without).toEqual([]);
  });

  it('every page is linked from the index', () => {
    const index = readText('docs/analyse/bi/README.md');
    expect(
      pages
        .map((page) => page.slice('docs/analyse/bi/'.length))
        .filter((page) => page !== 'README.md' && !index.includes(`(${page})`)),
    ).toEqual([]);
  });

  describe('Grafana', () => {
    it('every variable and panel of the dashboard gets an answer', async () => {
      const statements = dashboardStatements(dashboard, chosen);
      expect(statements.length).toBeGreaterThan(8);
      await expectAnswers(statements);
    });

    it('every time series of the dashboard gets times and numbers', async () => {
      const { panels } = JSON.parse(readText(dashboard));
      const series = panels
        .filter(({ type }: { type: string }) => type === 'timeseries')
        .map(({ title }: { title: string }) => title);
      for (const { from, sql } of dashboardStatements(dashboard, chosen).filter(({ from }) => series.includes(from))) {
        const { fields } = await analyst.query(sql);
        expect(fields[0], from).toMatchObject({ name: 'time', dataTypeID: pg.types.builtins.TIMESTAMP });
        const numbers: number[] = [pg.types.builtins.INT4, pg.types.builtins.NUMERIC];
        expect(
          fields.slice(1).filter(({ name, dataTypeID }) => name !== 'metric' && !numbers.includes(dataTypeID)),
          from,
        ).toEqual([]);
      }
    });

    it('the dashboard has one provisioned data source and no password', () => {
      const { datasources } = parse(readText('integrations/grafana/datasources/pricebook.yaml'));
      expect(datasources).toHaveLength(1);
      const used = [...readText(dashboard).matchAll(/"type": "(grafana-[\w-]+)",\s*"uid": "(\w+)"/g)];
      expect(used.length).toBeGreaterThan(8);
      expect(new Set(used.map(([, type, uid]) => `${type} ${uid}`))).toEqual(
        new Set([`${datasources[0].type} ${datasources[0].uid}`]),
      );
      expect(datasources[0].secureJsonData.password).toMatch(/^\$[A-Z_]+$/);
    });
  });

  describe('filters of time and region', () => {
    it.each(['fct_region_daily', 'fct_category_daily', 'price_index'])('time and region filter %s', async (mart) => {
      const statements = [
        ...pages.flatMap((page) => [...templatesOf(page, chosen), ...stringsOf(page, chosen)]),
        ...dashboardStatements(dashboard, chosen),
      ];
      const about = statements.filter(
        ({ sql }) =>
          sql.includes(`from marts.${mart}`) &&
          /snapshot_date (>=|BETWEEN)|period_start (>=|BETWEEN)/.test(sql) &&
          // Promotions by week read the first night from this mart; their weeks are those of another.
          !sql.includes('from marts.fct_promotion_calendar'),
      );
      expect(about.length).toBeGreaterThan(2);
      await analyst.query('set enable_seqscan = off');
      for (const { from, sql } of about) {
        const plan = (await ask(`explain ${sql}`)).map((row) => row['QUERY PLAN']).join('\n');
        expect(plan, `${from}: ${sql}`).toMatch(/(Index Cond|Recheck Cond).*(snapshot_date|period_start)/);
      }
      await analyst.query('reset enable_seqscan');
    });
  });

  describe('programs', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bi-programs-'));
    afterAll(() => rmSync(folder, { recursive: true }));

    const run = (command: string, file: string, program: string) => {
      writeFileSync(join(folder, file), program.replaceAll('2026-01-01', chosen.since));
      const env = {
        ...process.env,
        PGHOST: url.hostname,
        PGPORT: url.port,
        PGDATABASE: url.pathname.slice(1),
        PGUSER: login,
        PGPASSWORD: 'pass',
      };
      const { status, stdout, stderr } = spawnSync(command, [join(folder, file)], { env, encoding: 'utf8' });
      expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toContain(book.lastNight);
    };

    it.runIf(hasPandas)('the programs of pandas.md run (needs python3 with pandas, sqlalchemy and psycopg2)', () => {
      run(python, 'page.py', blocksOf('docs/analyse/bi/pandas.md', 'python').join('\n'));
    });

    it.runIf(hasPolars)('the program of polars.md runs (needs python3 with polars, sqlalchemy and psycopg2)', () => {
      run(python, 'polars-page.py', blocksOf('docs/analyse/bi/polars.md', 'python').join('\n'));
    });

    it.runIf(hasR)('the programs of r.md run (needs Rscript with DBI and RPostgres or RPostgreSQL)', () => {
      run('Rscript', 'page.R', blocksOf('docs/analyse/bi/r.md', 'r').join('\n'));
    });
  });
});
