import { stringify } from 'yaml';

/** A column of a view, or a function, with the comments of the database. */
export interface MartColumn {
  readonly mart: string;
  readonly explanation: string;
  readonly name: string | null;
  readonly type: string | null;
  readonly meaning: string | null;
}

/** A row of marts.relation. */
export interface Relation {
  readonly mart: string;
  readonly columns: string;
}

/** Columns that restrict a test to the last nights, the best first. */
const nights = ['snapshot_date', 'since', 'period_start', 'week_starts_on', 'valid_from', 'spent_on'];

/** The views of marts as sources of dbt, with a test for each key. */
export function dbtSources(columns: readonly MartColumn[], relations: readonly Relation[]): string {
  const views = columns.filter(({ name }) => name !== null);
  const tables = [...new Set(views.map(({ mart }) => mart))].sort().map((mart) => {
    const own = views.filter((column) => column.mart === mart);
    const night = nights.find((name) => own.some((column) => column.name === name));
    const recent = night && { config: { where: `${night} >= current_date - {{ var('pricebook_test_days') }}` } };
    const keys = relations
      .filter((relation) => relation.mart === mart)
      .map((key) => ({ unique_key: { arguments: { columns: key.columns.split(', ') }, ...recent } }));
    return {
      ...{ name: mart, description: own[0]!.explanation, ...(mart === 'snapshot' && { config: freshness }) },
      data_tests: keys,
      columns: own.map(({ name, type, meaning }) => ({ name, description: meaning, data_type: type })),
    };
  });
  const about = 'Pricebook: prices, promotions and stock of a supermarket by night; null means unknown.';
  const sources = [{ name: 'pricebook', description: about, schema: 'marts', tables }];
  return written('the comments of the database and marts.relation', { version: 2, sources });
}

/** Warns after a day without a night. Models that read the snapshot follow `source_status:fresher+`. */
const freshness = { loaded_at_field: 'updated_at', freshness: { warn_after: { count: 26, period: 'hour' } } };

const written = (from: string, content: unknown) =>
  `# Generated from ${from}.\n${stringify(content, { lineWidth: 110, aliasDuplicateObjects: false })}`;
