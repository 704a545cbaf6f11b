import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ViewsBlocked } from '../errors.ts';
import type { Askable, Transaction } from './client.ts';
import { codeOf } from './connection-error.ts';
import { viewFiles } from './views/index.ts';
import { viewsVersion } from './views/version.ts';

/** The SQL of all views, in order, its sha256 in hex, and which of two is newer. */
export interface ViewSources {
  readonly statements: readonly string[];
  readonly hash: string;
  readonly version: number;
}

const viewsFolder = fileURLToPath(new URL('views/', import.meta.url));

/** Reads the view files. */
export function readViewSources(): ViewSources {
  const statements = viewFiles.map((file) => readFileSync(join(viewsFolder, file), 'utf8'));
  return { statements, hash: createHash('sha256').update(statements.join('\0')).digest('hex'), version: viewsVersion };
}

let own: ViewSources | null = null;

/** The program's own: they do not change while it runs. */
export function ownViewSources(): ViewSources {
  own ??= readViewSources();
  return own;
}

/** Whether the views that are there now are these, or a newer program's. */
export async function areViewsApplied(tx: Askable, { hash, version }: ViewSources): Promise<boolean> {
  if (!(await isThere(tx))) return false;
  // Programs from before versions made the table without that column, and leave it as it is where they write.
  const { rows } = await tx.query<{ hash: string; version: number }>(
    `select hash, coalesce((to_jsonb(applied) ->> 'version')::int, 0) as version from ops.views_version applied`,
  );
  const [applied] = rows;
  if (!applied) return false;
  return applied.version > version || (applied.version === version && applied.hash === hash);
}

/**
 * Replaces what the last application made in `marts` by what the sources say; objects of others stay.
 * Throws `ViewsBlocked` when something of theirs depends on a view of ours.
 */
export async function applyViews(tx: Transaction, { statements, hash, version }: ViewSources): Promise<void> {
  await tx.query(`create schema if not exists ops`);
  await tx.query(`create schema if not exists marts`);
  await tx.query(`create table if not exists ops.views_version (
    one boolean primary key default true check (one),
    hash text not null,
    objects text[] not null,
    applied_at timestamptz not null default now()
  )`);
  await tx.query('alter table ops.views_version add column if not exists version integer not null default 0');
  const { rows } = await tx.query<{ objects: string[] }>('select objects from ops.views_version');
  await dropObjects(tx, rows[0]?.objects ?? []);

  const before = new Set((await listObjects(tx)).map(({ identity }) => identity));
  for (const statement of statements) await tx.query(statement);
  const made = (await listObjects(tx)).map(({ identity }) => identity).filter((identity) => !before.has(identity));

  await tx.query(
    `insert into ops.views_version (hash, objects, version) values ($1, $2, $3)
     on conflict (one) do update set
       hash = excluded.hash, objects = excluded.objects, version = excluded.version, applied_at = excluded.applied_at`,
    [hash, made, version],
  );
}

async function isThere(tx: Askable): Promise<boolean> {
  const { rows } = await tx.query<{ found: boolean }>(`select to_regclass('ops.views_version') is not null as found`);
  return rows[0]?.found === true;
}

/** Last made, first dropped: views and functions may depend on each other in any order of kinds. */
async function dropObjects(tx: Transaction, identities: readonly string[]): Promise<void> {
  const known = new Set(identities);
  const present = (await listObjects(tx)).filter(({ identity }) => known.has(identity));
  for (const { identity } of present.reverse()) {
    try {
      await tx.query(`drop ${identity}`);
    } catch (error) {
      // 2BP01 dependent_objects_still_exist: the detail names them
      if (codeOf(error) !== '2BP01') throw error;
      throw new ViewsBlocked(String((error as { detail?: string }).detail ?? (error as Error).message));
    }
  }
}

/** Everything in `marts` that can be dropped by itself, oldest first: `view marts.snapshot`, `function marts.as_of(text,date)`. */
async function listObjects(tx: Transaction): Promise<{ identity: string }[]> {
  const { rows } = await tx.query<{ identity: string }>(`
    select object.type || ' ' || object.identity as identity
    from (
      select 'pg_class'::regclass::oid as catalogue, oid from pg_class
      where relnamespace = to_regnamespace('marts')::oid and relkind in ('v', 'm', 'r')
      union all
      select 'pg_proc'::regclass::oid, oid from pg_proc where pronamespace = to_regnamespace('marts')::oid
      union all
      select 'pg_type'::regclass::oid, type.oid from pg_type type
      where typnamespace = to_regnamespace('marts')::oid
        and (typtype in ('e', 'd') or typtype = 'c' and exists (
          select from pg_class where pg_class.oid = type.typrelid and relkind = 'c'))
    ) made, pg_identify_object(made.catalogue, made.oid, 0) object
    order by made.oid`);
  return rows;
}
