import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { charts, marts } from '../../build/bi/charts.ts';
import { grafanaFiles } from '../../build/bi/grafana.ts';
import { type MartColumn, type Model, modelOf, type Type } from '../../build/bi/model.ts';
import { supersetFiles } from '../../build/bi/superset.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { filesBelow, readText, root } from '../house/source-files.ts';
import { usePlayedBook } from './played-book.ts';

const { BOOL, DATE, INT2, INT4, INT8, NUMERIC, TIMESTAMPTZ } = pg.types.builtins;
const types: Readonly<Record<number, Type>> = {
  ...{ [BOOL]: 'yes-no', [DATE]: 'date', [INT2]: 'whole', [INT4]: 'whole', [INT8]: 'whole' },
  ...{ [NUMERIC]: 'decimal', [TIMESTAMPTZ]: 'instant' },
};

describe('integrations for BI tools', () => {
  const book = usePlayedBook();
  let model: Model;

  beforeAll(async () => {
    const columns = await rowsOf<MartColumn & Record<string, unknown>>(
      book.db,
      `select c.relname::text as mart, obj_description(c.oid, 'pg_class') as explanation, a.attname as name,
        col_description(c.oid, a.attnum) as meaning
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where c.relnamespace = 'marts'::regnamespace and c.relkind = 'v'`,
    );
    const describe = async (statement: string) => {
      const { fields } = await book.db.query(`select * from (${statement}) as described limit 0`);
      return fields.map(({ name, dataTypeID }) => ({ name, type: types[dataTypeID] ?? 'text' }));
    };
    model = await modelOf({ columns, describe });
  });

  const expectFiles = async (
    folder: string,
    files: Readonly<Record<string, string>>,
    byHand: readonly string[] = [],
  ) => {
    for (const [path, text] of Object.entries(files))
      await expect(text, path).toMatchFileSnapshot(join(root, 'integrations', folder, path));
    const there = filesBelow(`integrations/${folder}`).map(({ path }) => path.replace(`integrations/${folder}/`, ''));
    expect(there.filter((path) => !byHand.includes(path) && !(path in files))).toEqual([]);
  };

  it('the files for Superset are as build/bi writes them (-u rewrites them)', async () => {
    await expectFiles('superset', supersetFiles(model));
  });

  it('the files for Grafana are as build/bi writes them (-u rewrites them)', async () => {
    await expectFiles('grafana', await grafanaFiles(model, readText('deploy/prometheus/alerts.yml')), [
      'datasources/pricebook.yaml',
      'dashboards/pricebook.yaml',
    ]);
  });

  /** Fails with the name of the file if the role bi_reader may not run the statement; returns the rows. */
  const rowsFor = async (from: string, statement: string) => {
    const rows = await book.ask(statement).catch((error: Error) => `${from}: ${error.message}`);
    expect(rows, statement).toBeInstanceOf(Array);
    return rows as Record<string, unknown>[];
  };

  it('every dataset and chart of Superset gets rows as the read-only role, with every metric', async () => {
    const files = filesBelow('integrations/superset', '.yaml').map(({ path, text }) => ({ path, ...parse(text) }));
    const datasets = files.filter(({ table_name }) => table_name);
    expect(datasets.length).toBeGreaterThan(marts.length);
    const rowsOfDataset = ({ sql, table_name }: { sql: string | null; table_name: string }) =>
      `from ${sql ? `(\n${sql}\n)` : `marts.${table_name}`} as virtual_table`;
    for (const dataset of datasets) {
      const metrics = dataset.metrics.map(({ expression }: { expression: string }) => expression);
      const columns = dataset.columns.map(({ column_name }: { column_name: string }) => column_name);
      const [all] = await rowsFor(dataset.path, `select ${['count(*) as rows', ...metrics]} ${rowsOfDataset(dataset)}`);
      expect(Number(all!['rows']), dataset.path).toBeGreaterThan(0);
      await rowsFor(dataset.path, `select ${columns} ${rowsOfDataset(dataset)} limit 5`);
    }
    const drawn = files.filter(({ viz_type }) => viz_type);
    expect(drawn.length).toBe(charts.length);
    for (const { path, params, dataset_uuid } of drawn) {
      const dataset = datasets.find(({ uuid }) => uuid === dataset_uuid);
      const metrics = (params.metrics ?? []).map(
        (name: string) =>
          dataset.metrics.find(({ metric_name }: { metric_name: string }) => metric_name === name).expression,
      );
      const groups = params.x_axis ? [params.x_axis, ...params.groupby] : params.all_columns;
      const where = params.adhoc_filters.flatMap(({ sqlExpression = [] }) => sqlExpression);
      const rows = await rowsFor(
        path,
        `select ${[...groups, ...metrics]} ${rowsOfDataset(dataset)} where ${["region = 'uk'", ...where].join(' and ')}
        ${params.x_axis ? `group by ${groups}` : ''}`,
      );
      expect(rows.length, path).toBeGreaterThan(0);
    }
  });

  it('the alert rules of Grafana return one number for each region or listing', async () => {
    const { groups } = parse(readText('integrations/grafana/alerting/pricebook.yaml'));
    expect(groups[0].rules.length).toBe(3);
    for (const { title, data } of groups[0].rules) {
      const rows = await rowsFor(title, data[0].model.rawSql);
      if (title !== 'PricebookLimitNearlyUsed') expect(rows.map(({ region }) => region).sort()).toEqual(['ie', 'uk']);
      const values = rows.flatMap((row) => Object.values(row).filter((value) => typeof value === 'number'));
      expect(values.length).toBe(rows.length);
    }
  });
});
