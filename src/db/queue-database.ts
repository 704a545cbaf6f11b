import pg from 'pg';
import { ConfigInvalid } from '../errors.ts';
import { surviveBreaking } from './broken-connection.ts';
import { asServerError, codeOf } from './connection-error.ts';

/**
 * The URL of the PostgreSQL queue's own database: `queueUrl` if given, otherwise `<database>_queue` beside the data, made when
 * missing. Apart from the data because one open reader there would slow the queue more than tenfold.
 * Throws `ConfigInvalid` when it may not be made, `ServerUnreachable`.
 */
export async function ensureQueueDatabase(url: string, queueUrl?: string): Promise<string> {
  if (queueUrl) return queueUrl;
  const queue = queueUrlOf(url);
  if (await isThere(queue.url)) return queue.url;

  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  surviveBreaking(client);
  try {
    await client.connect();
    const name = client.escapeIdentifier(queue.name);
    await client.query(`create database ${name}`);
    // Analysts may log in beside the data; what the queue holds is none of their business.
    await client.query(`revoke all on database ${name} from public`);
  } catch (error) {
    const code = codeOf(error);
    // 42P04, 23505: another process made it at the same moment
    if (code === '42P04' || code === '23505') return queue.url;
    if (code !== '42501') throw asServerError(error);
    throw new ConfigInvalid([
      `QUEUE_DATABASE_URL: not set, and the user of DATABASE_URL may not create the database ${queue.name}; create it, or set REDIS_URL`,
    ]);
  } finally {
    await client.end();
  }
  return queue.url;
}

/** `…/shop?x` becomes `…/shop_queue?x`. By text, because URLs of socket folders are no URLs for everyone. */
function queueUrlOf(url: string): { name: string; url: string } {
  const [, before = '', name = '', after = ''] = /^([a-z]+:\/\/[^/?]*)\/?([^?]*)(.*)$/is.exec(url) ?? [];
  const base = decodeURIComponent(name) || new pg.Client({ connectionString: url }).database || 'postgres';
  const queue = `${base}_queue`;
  return { name: queue, url: `${before}/${encodeURIComponent(queue)}${after}` };
}

async function isThere(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  surviveBreaking(client);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (codeOf(error) === '3D000') return false;
    throw asServerError(error, 'QUEUE_DATABASE_URL');
  } finally {
    await client.end();
  }
}
