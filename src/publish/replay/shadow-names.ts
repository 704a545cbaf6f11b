import { isPgEnum } from 'drizzle-orm/pg-core';
import * as tables from '../../db/tables/index.ts';

/** Schemas in which a replay works, by the live schema. */
export const shadowSchemas = {
  catalog: 'catalog_replay',
  stage: 'stage_replay',
  ops: 'ops_replay',
  marts: 'marts_replay',
} as const;

/** Enum types hold no data, so both catalogues share them. */
const sharedTypes = Object.values(tables).flatMap((table) =>
  isPgEnum(table) ? [`${table.schema}\\.${table.enumName}\\b`] : [],
);

type Shadowed = keyof typeof shadowSchemas;

export const shadowedSchemas = Object.keys(shadowSchemas) as Shadowed[];

/** Rewrites a statement to use the shadow instead of the live catalogue. */
export const toShadow = inShadow(shadowedSchemas);

/** The same, if only stage and ledger are shadowed. */
export const toStageShadow = inShadow(['ops', 'stage']);

function inShadow(schemas: readonly Shadowed[]): (sql: string) => string {
  const inSql = new RegExp(`\\b(?!(?:${sharedTypes.join('|')}))(${schemas.join('|')})\\.(?=[a-z_])`, 'g');
  return (sql) => sql.replace(inSql, (_, schema: Shadowed) => `${shadowSchemas[schema]}.`);
}
