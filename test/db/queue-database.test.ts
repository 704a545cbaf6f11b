import { describe, expect, it } from 'vitest';
import { createDatabase } from '../../src/db/client.ts';
import { ensureQueueDatabase } from '../../src/db/queue-database.ts';
import { ConfigInvalid, ServerUnreachable } from '../../src/errors.ts';
import { useDatabase } from '../support/database.ts';

describe('db/queue-database', () => {
  const database = useDatabase({ from: 'empty' });
  const nameOf = (url: string) => new URL(url).pathname.slice(1);

  it('says what to set when it may not be made', async () => {
    await database.db.query(`create role visitor_of_queue login password 'visiting'`);
    const visiting = new URL(database.url);
    visiting.username = 'visitor_of_queue';
    visiting.password = 'visiting';
    const refused = ensureQueueDatabase(visiting.href);
    await expect(refused).rejects.toThrow(ConfigInvalid);
    await expect(refused).rejects.toThrow(`may not create the database ${nameOf(database.url)}_queue`);
    await database.db.query('drop role visitor_of_queue');
  });

  it('makes one beside the data once, also when several ask at the same moment', async () => {
    const urls = await Promise.all([1, 2, 3].map(() => ensureQueueDatabase(database.url)));
    expect(new Set(urls).size).toBe(1);
    expect(await ensureQueueDatabase(database.url)).toBe(urls[0]);
    expect(nameOf(urls[0]!)).toBe(`${nameOf(database.url)}_queue`);

    const queue = createDatabase({ url: urls[0]!, applicationName: 'queue' });
    expect((await queue.query('select current_database() as name')).rows).toEqual([{ name: nameOf(urls[0]!) }]);
    await queue.end();
  });

  it('takes the one it is given', async () => {
    expect(await ensureQueueDatabase(database.url, 'postgres://elsewhere/queue')).toBe('postgres://elsewhere/queue');
  });

  it('says so when the server cannot be reached', async () => {
    await expect(ensureQueueDatabase('postgres://someone@127.0.0.1:1/nothing')).rejects.toThrow(ServerUnreachable);
  });
});
