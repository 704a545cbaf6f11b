// Uses the embedded server of the given home: prints the URL and ends when its input ends.
import { once } from 'node:events';
import { silentLog } from '../../../src/db/db-log.ts';
import { openEmbedded } from '../../../src/db/embedded/open-embedded.ts';

void main();

async function main(): Promise<void> {
  const server = await openEmbedded({ home: process.argv[2] ?? '', log: silentLog });
  process.stdout.write(`${server.url}\n`);
  process.stdin.resume();
  await once(process.stdin, 'end');
  await server.close();
}
