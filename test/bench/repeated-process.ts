import { Agent, get } from 'node:http';
import type { Load } from './repeated-pages.ts';

// Started by repeated-pages.ts with an address, a number of connections and seconds: requests the page again and again,
// as a browser does that has it, and reports how many answers came and how long they took.
const [address, connections, seconds] = process.argv.slice(2) as [string, string, string];
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });

const request = (headers: Record<string, string>) =>
  new Promise<{ status: number; tag: string | undefined }>((resolve, reject) => {
    get(address, { agent, headers }, (response) => {
      response.resume().once('end', () => resolve({ status: response.statusCode!, tag: response.headers.etag }));
    }).once('error', reject);
  });

const { tag } = await request({});
const headers: Record<string, string> = tag === undefined ? {} : { 'if-none-match': tag };
const expected = tag === undefined ? 200 : 304;
const endsAt = performance.now() + Number(seconds) * 1_000;
const took: number[] = [];
await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    while (performance.now() < endsAt) {
      const startedAt = performance.now();
      const { status } = await request(headers);
      if (status !== expected) throw new Error(`${address} was answered with ${status}`);
      took.push(performance.now() - startedAt);
    }
  }),
);
agent.destroy();
took.sort((a, b) => a - b);
const load: Load = { requests: took.length / Number(seconds), p95Ms: took[Math.ceil(took.length * 0.95) - 1]! };
if (process.send) process.send(load);
else console.log(JSON.stringify(load));
if (process.connected) process.disconnect();
