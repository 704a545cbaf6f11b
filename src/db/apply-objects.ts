import { Refused } from '../base/errors.ts';
import type { Queryable, Transaction } from './client.ts';
import { codeOf } from './connection-error.ts';

/**
 * Drops the functions and views of the last application and creates those of `statements`; objects of other owners
 * stay. Returns the identities of the created objects. Throws `Refused` if a foreign object depends on one of
 * ours.
 */
export async function replaceObjects(
  tx: Transaction,
  { old, statements }: { readonly old: readonly string[]; readonly statements: readonly string[] },
): Promise<string[]> {
  await dropObjects(tx, old);
  const before = new Set(await listObjects(tx));
  for (const statement of statements) await tx.query(statement);
  return (await listObjects(tx)).filter((identity) => !before.has(identity));
}

/** Drops the newest first, because views and functions may depend on each other in any order. */
async function dropObjects(tx: Transaction, identities: readonly string[]): Promise<void> {
  const known = new Set(identities);
  const present = (await listObjects(tx)).filter((identity) => known.has(identity));
  for (const identity of present.reverse()) {
    try {
      await tx.query(`drop ${identity}`);
    } catch (error) {
      // 2BP01 dependent_objects_still_exist: the detail names them.
      if (codeOf(error) !== '2BP01') throw error;
      const { detail, message } = error as { detail?: string; message: string };
      throw new Refused(
        1,
        `The views in marts cannot be replaced: ${detail ?? message}. Nothing was changed. ` +
          'Drop the dependent objects, run `pricebook migrate`, then create them again.',
      );
    }
  }
}

/**
 * Identities of all objects in `marts` that can be dropped separately, the views of `catalog` and `ops`, and the
 * functions of all three, oldest first: `view marts.snapshot`, `function marts.as_of(text,date)`.
 */
async function listObjects(tx: Queryable): Promise<string[]> {
  const { rows } = await tx.query<{ identity: string }>(`
    select object.type || ' ' || object.identity as identity
    from (
      select 'pg_class'::regclass::oid as catalogue, oid from pg_class
      where relnamespace = to_regnamespace('marts')::oid and relkind in ('v', 'm', 'r')
        or relnamespace in (to_regnamespace('catalog')::oid, to_regnamespace('ops')::oid) and relkind = 'v'
      union all
      select 'pg_proc'::regclass::oid, oid from pg_proc
      where pronamespace in (
        to_regnamespace('marts')::oid, to_regnamespace('ops')::oid, to_regnamespace('catalog')::oid)
      union all
      select 'pg_type'::regclass::oid, type.oid from pg_type type
      where typnamespace = to_regnamespace('marts')::oid
        and (typtype in ('e', 'd') or typtype = 'c' and exists (
          select from pg_class where pg_class.oid = type.typrelid and relkind = 'c'))
    ) made, pg_identify_object(made.catalogue, made.oid, 0) object
    order by made.oid`);
  return rows.map(({ identity }) => identity);
}
