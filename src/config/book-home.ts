import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { createDatabase } from '../db/client.ts';
import { openEmbedded } from '../db/embedded/open-embedded.ts';
import { findPlaceFolder } from '../db/embedded/place.ts';
import { kindOfBook } from '../ledger/worlds.ts';
import type { Log } from '../log.ts';
import type { World } from '../model/index.ts';

/** Where the simulated book lives, below PRICEBOOK_HOME. */
export const demoFolder = 'demo';

/**
 * The configuration with `home` where the book is that it opens: on the embedded server the simulated one has a folder of its own,
 * so that adding a key opens the real one. A simulated book that an earlier version made in PRICEBOOK_HOME itself goes on there.
 */
export async function atBook(config: Config, log: Log): Promise<Config> {
  const { databaseUrl, upstream, home } = config;
  if (databaseUrl || upstream === 'gateway') return config;
  const demo = join(home, demoFolder);
  const isMade = existsSync(demo) && findPlaceFolder(demo) !== null;
  if (isMade || !existsSync(home) || findPlaceFolder(home) === null) return { ...config, home: demo };
  const kind = await kindThere(home, log);
  if (kind === 'simulated') return config;
  if (kind === 'live')
    log.warn(
      { folder: home },
      'no gateway is configured: this is the demo book; the book in that folder opens with its key',
    );
  return { ...config, home: demo };
}

async function kindThere(home: string, log: Log): Promise<World['kind'] | null> {
  const server = await openEmbedded({ home, log });
  try {
    const db = createDatabase({ url: server.url, applicationName: 'pricebook', max: 1, log });
    try {
      return await kindOfBook(db);
    } finally {
      await db.end();
    }
  } finally {
    await server.close();
  }
}
