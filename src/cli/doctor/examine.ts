import { openDatabase } from '../../app/compose.ts';
import type { Config } from '../../app/config.ts';
import { ConfigInvalid } from '../../base/errors.ts';
import { using } from '../closing.ts';
import type { Invocation } from '../define-verb.ts';
import { checkDatabase, checkQueues } from './check-database.ts';
import { askGateway, checkGateway, checkHosts } from './check-gateway.ts';
import { checkMachine } from './check-machine.ts';
import { type Diagnosis, failure, fine, warning } from './diagnosis.ts';

/** Runs all checks in order. A failed check skips only the checks that depend on it. */
export async function* examine(invocation: Invocation, { ask }: { readonly ask: boolean }): AsyncGenerator<Diagnosis> {
  let config: Config;
  try {
    config = invocation.config;
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    for (const issue of error.issues) yield failure('configuration', { message: issue, exitCode: error.exitCode });
    return;
  }
  yield fine('configuration', 'all variables are valid');
  const found = await lookAtDatabase(invocation);
  yield* found;
  yield* checkGateway(config);
  if (!ask) {
    if (config.upstream === 'gateway') yield fine('upstream', 'not checked; --ask sends one request to each listing');
  } else if (found.some(({ level, about }) => level !== 'ok' && !['clock', 'derived', 'host'].includes(about))) {
    yield warning('upstream', 'not checked: requests are counted in the database, which must be in order first');
  } else yield* askGateway(invocation);
}

async function lookAtDatabase(invocation: Invocation): Promise<Diagnosis[]> {
  const { config, clock, log } = invocation;
  try {
    return await using(openDatabase(config, { log, name: 'doctor' }), async ({ db, databaseUrl, config: opened }) => {
      const machine = await checkMachine(opened);
      const database = await checkDatabase(db);
      const queues = await checkQueues(invocation, { db, databaseUrl });
      const isUpToDate = database.some(({ about, level }) => about === 'schema' && level === 'ok');
      const hosts = isUpToDate ? await checkHosts({ config: opened, db, clock }) : [];
      return [...machine, ...database, queues, ...hosts];
    });
  } catch (error) {
    return [...(await checkMachine(config)), failure('database', error)];
  }
}
