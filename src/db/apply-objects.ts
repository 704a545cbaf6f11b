import { Refused } from '../base/errors.ts';
import type { Queryable, Transaction } from './client.ts';
import { rowsOf } from './rows.ts';
import type { ObjectFile } from './schema-sources.ts';

/** Hash of each applied file, and the identities of the objects that it created. */
export type Applied = Readonly<Record<string, { readonly hash: string; readonly made: readonly string[] }>>;

/** Whether a file is new, has changed, or is gone. */
export const isAnyStale = (files: readonly ObjectFile[], applied: Applied): boolean =>
  files.some(({ name, hash }) => applied[name]?.hash !== hash) || Object.keys(applied).length > files.length;

/**
 * Replaces the objects of changed files and, because views depend on each other, those that depend on them. Other
 * objects stay, and so do those of other owners. Throws `Refused` if a foreign object depends on a changed one.
 */
export async function replaceObjects(
  tx: Transaction,
  files: readonly ObjectFile[],
  applied: Applied,
): Promise<Applied> {
  const before = await listObjects(tx);
  const hashes = new Map(files.map(({ name, hash }) => [name, hash]));
  const kept = new Map(Object.entries(applied));
  let present = new Set(before);
  const isWhole = (name: string, made: readonly string[]) =>
    hashes.get(name) === applied[name]!.hash && made.length > 0 && made.every((identity) => present.has(identity));
  for (;;) {
    const broken = [...kept].filter(([name, { made }]) => !isWhole(name, made));
    if (broken.length === 0) break;
    for (const [name, { made }] of broken) {
      kept.delete(name);
      for (const identity of made) await tx.query(`drop ${identity.replace(' ', ' if exists ')} cascade`);
    }
    present = new Set(await listObjects(tx));
  }
  const ours = new Set(Object.values(applied).flatMap(({ made }) => made));
  const foreign = before.filter((identity) => !present.has(identity) && !ours.has(identity));
  if (foreign.length > 0)
    throw new Refused(
      1,
      `The views in marts cannot be replaced: ${foreign.join(', ')} depends on them. Nothing was changed. ` +
        'Drop it, run `pricebook migrate`, then create it again.',
    );
  for (const { name, definition, hash } of files) {
    if (kept.has(name)) continue;
    await tx.query(definition);
    const now = await listObjects(tx);
    kept.set(name, { hash, made: now.filter((identity) => !present.has(identity)) });
    present = new Set(now);
  }
  for (const { remarks } of files) if (remarks !== '') await tx.query(remarks);
  return Object.fromEntries(kept);
}

/** Identities of all views and functions, oldest first: `view marts.snapshot`, `function marts.as_of(text,date)`. */
async function listObjects(tx: Queryable): Promise<string[]> {
  const rows = await rowsOf<{ identity: string }>(
    tx,
    `select object.type || ' ' || object.identity as identity
     from (
       select 'pg_class'::regclass::oid as catalogue, oid, relnamespace as schema from pg_class
       where relkind in ('v', 'm')
       union all
       select 'pg_proc'::regclass::oid, oid, pronamespace from pg_proc
     ) made
     cross join lateral pg_identify_object(made.catalogue, made.oid, 0) as object
     where made.schema not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
     order by made.oid`,
  );
  return rows.map(({ identity }) => identity);
}
