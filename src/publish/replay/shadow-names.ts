import { isPgEnum } from 'drizzle-orm/pg-core';
import * as tables from '../../db/tables/index.ts';

/** Schemas in which a replay works, by the live schema. */
export const shadowSchemas = {
  catalog: 'catalog_replay',
  stage: 'stage_replay',
  ops: 'ops_replay',
  marts: 'marts_replay',
} as const;

/** Enum types and the function that comments on columns hold no data, so both catalogues share them. */
const shared = [
  'ops\\.describe\\b',
  ...Object.values(tables).flatMap((table) => (isPgEnum(table) ? [`${table.schema}\\.${table.enumName}\\b`] : [])),
];

const inSql = new RegExp(`\\b(?!(?:${shared.join('|')}))(${Object.keys(shadowSchemas).join('|')})\\.(?=[a-z_])`, 'g');

/** Rewrites a statement to use the shadow instead of the live catalogue. */
export const toShadow = (sql: string): string =>
  sql.replace(inSql, (_, schema: keyof typeof shadowSchemas) => `${shadowSchemas[schema]}.`);
