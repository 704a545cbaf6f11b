import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

export interface Versitygw {
  readonly url: string;
  /** Variables of clients. */
  readonly env: Readonly<Record<string, string>>;
  /** The bucket `prices`, whose objects are files. */
  readonly folder: string;
  close(): Promise<void>;
}

const credentials = { accessKeyId: 'lake', secretAccessKey: 'a-secret-of-tests' };

/** Starts the S3 server of a program that checks signatures; `at`: URL of one that was closed. */
export async function startVersitygw(program: string, root: string, at?: string): Promise<Versitygw> {
  const port = at ? Number(new URL(at).port) : await freePort();
  const folder = join(root, 'prices');
  mkdirSync(folder, { recursive: true });
  const { accessKeyId, secretAccessKey } = credentials;
  const identity = ['--access', accessKeyId, '--secret', secretAccessKey, '--region', 'us-east-1'];
  const server = spawn(program, [...identity, '--quiet', '--port', `127.0.0.1:${port}`, 'posix', '--nometa', root], {
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(url).catch(() => null))) {
    if (server.exitCode !== null) throw new Error(`${program} ended with ${server.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    folder,
    env: {
      AWS_ENDPOINT_URL: url,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    },
    async close() {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
