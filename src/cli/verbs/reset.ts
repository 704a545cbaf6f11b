import { rm } from 'node:fs/promises';
import { archiveOf, isArchiveInBucket } from '../../app/compose/archive.ts';
import { atBook, openDatabase, openStore } from '../../app/compose.ts';
import { RunRefused, UsageInvalid } from '../../base/errors.ts';
import { readLivingWorkers } from '../../crawl/workers.ts';
import { removeEmbedded } from '../../db/embedded/open-embedded.ts';
import { using } from '../closing.ts';
import { defineVerb, type Invocation } from '../define-verb.ts';
import { flag } from '../option-values.ts';

/** Own schemas; the database may contain others. */
const schemas = ['marts', 'derived', 'stage', 'ops', 'catalog'];

export const verb = defineVerb({
  options: {
    yes: flag('--yes', 'confirm; without it nothing happens'),
    database: flag('--database', 'also drop the schemas on your own server'),
  },

  async run({ yes = false, database = false }, invocation) {
    const { console, log } = invocation;
    const config = atBook(invocation.config, log);
    const { databaseUrl, redisUrl, home } = config;
    const servers = [...(databaseUrl ? ['DATABASE_URL'] : []), ...(redisUrl ? ['REDIS_URL'] : [])];
    const deleted = [
      databaseUrl ? `the schemas ${schemas.join(', ')} of DATABASE_URL` : `the embedded database of ${home}`,
      'the queues',
      `the archive in ${archiveOf(config)}`,
    ].join(', ');
    if (servers.length > 0 && !database) {
      throw new UsageInvalid(
        `${servers.join(' and ')} ${servers.length === 1 ? 'names a server' : 'name servers'} of your own: ` +
          '--database deletes there as well. Nothing was deleted.',
      );
    }
    if (!yes) {
      throw new UsageInvalid(`This deletes ${deleted} permanently. Confirm with --yes. Nothing was deleted.`);
    }
    if (servers.length > 0) await emptyServers(invocation);
    if (!databaseUrl) await removeEmbedded(home);
    await rm(archiveOf(config), { recursive: true, force: true });
    console.say(`Deleted: ${deleted}.`);
    if (isArchiveInBucket(config)) console.say(`Payloads in ${config.archive} stay. No book needs them any more.`);
  },
});

async function emptyServers({ config, log }: Invocation): Promise<void> {
  await using(openDatabase(config, { log, name: 'reset' }), async ({ db, databaseUrl }) => {
    // An empty database, or a schema of another version, may lack the table.
    const workers = await readLivingWorkers(db).catch(() => []);
    if (workers.length > 0)
      throw new RunRefused(
        'Workers are running, and their runs would be mixed with those of an empty database. Stop them first; those ' +
          'that were killed count for a few seconds more. Nothing was deleted.',
      );
    await using(openStore(config, databaseUrl, log), (store) => store.erase());
    if (!config.databaseUrl) return;
    await db.query(`drop schema if exists ${schemas.join(', ')} cascade`);
  });
}
