import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './redis-server.ts';
import { withPort } from './url-port.ts';

/** Whether this machine has PgBouncer (Debian: `apt-get install pgbouncer`). */
export const isPgBouncerInstalled = spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' }).status === 0;

export interface PgBouncer {
  /** The server's URL through it. */
  through(url: string): string;
  stop(): Promise<void>;
}

/** A PgBouncer of one's own in front of the server of a URL. */
export async function startPgBouncer(url: string, mode: 'session' | 'transaction' | 'statement'): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'pricebook-pgbouncer-'));
  chmodSync(folder, 0o755);
  const { hostname, port: serverPort, username, password } = new URL(url);
  const port = await freePort();
  writeFileSync(join(folder, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`, { mode: 0o644 });
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    [
      '[databases]',
      `* = host=${hostname} port=${serverPort}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `auth_file = ${join(folder, 'users.txt')}`,
      `pool_mode = ${mode}`,
      'default_pool_size = 40',
      '',
    ].join('\n'),
    { mode: 0o644 },
  );
  // It refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const server = spawn('pgbouncer', [...asUser, join(folder, 'pgbouncer.ini')], { stdio: 'ignore' });
  const through = (one: string) => withPort(one, port);
  for (let attempt = 0; server.exitCode === null && attempt < 200; attempt += 1) {
    if (await answers(through(url))) {
      return {
        through,
        async stop() {
          server.kill('SIGKILL');
          if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
          rmSync(folder, { recursive: true, force: true });
        },
      };
    }
    await sleep(50);
  }
  throw new Error('pgbouncer did not start');
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
