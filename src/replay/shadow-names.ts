import { isPgEnum } from 'drizzle-orm/pg-core';
import * as tables from '../db/tables/index.ts';

/** Where a replay works, by the schema it stands for. */
export const shadowSchemas = {
  catalog: 'catalog_replay',
  stage: 'stage_replay',
  ops: 'ops_replay',
  marts: 'marts_replay',
} as const;

/** Types are no data: both catalogues use the same. */
const sharedTypes = Object.values(tables).flatMap((table) =>
  isPgEnum(table) ? [`${table.schema}\\.${table.enumName}\\b`] : [],
);

const schemaInSql = new RegExp(
  `\\b(?!(?:${sharedTypes.join('|')}))(${Object.keys(shadowSchemas).join('|')})\\.(?=[a-z_])`,
  'g',
);

/** A statement of ours, asked of the shadow instead of the live catalogue. */
export function toShadow(sql: string): string {
  return sql.replace(schemaInSql, (_, schema: keyof typeof shadowSchemas) => `${shadowSchemas[schema]}.`);
}
