import { isPgEnum } from 'drizzle-orm/pg-core';
import * as tables from '../../db/tables/index.ts';

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

type Shadowed = keyof typeof shadowSchemas;

export const shadowedSchemas = Object.keys(shadowSchemas) as Shadowed[];

/** A statement of ours, asked of the shadow instead of the live catalogue. */
export const toShadow = inShadow(shadowedSchemas);

/** Likewise, when only stage and ledger are shadowed. */
export const toStageShadow = inShadow(['ops', 'stage']);

function inShadow(schemas: readonly Shadowed[]): (sql: string) => string {
  const inSql = new RegExp(`\\b(?!(?:${sharedTypes.join('|')}))(${schemas.join('|')})\\.(?=[a-z_])`, 'g');
  return (sql) => sql.replace(inSql, (_, schema: Shadowed) => `${shadowSchemas[schema]}.`);
}
