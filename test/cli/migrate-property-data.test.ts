import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { useHousehold } from './pricebook.ts';

/** A property-data listing on two hosts. The fields are invented, because the specification has none. */
const hosts = { old: 'old.example', new: 'new.example' };
const home = { id: 'A-1', price: 1_250_000, beds: 2 };
const nothingDiffers = { property: home as object, limit: { old: 500, new: 500 } };

describe('section 1: the real-estate listings carry property data, which a move does not change', () => {
  const { run } = useHousehold();
  const database = useDatabase();
  let server: Server;
  let played = nothingDiffers;
  let env: Record<string, string>;
  beforeAll(async () => {
    server = createServer(({ headers, url = '' }, response) => {
      const host = headers['x-gateway-host'] === hosts.new ? 'new' : 'old';
      const properties = [host === 'new' ? played.property : home];
      const limits = {
        'x-ratelimit-requests-limit': String(played.limit[host]),
        'x-ratelimit-requests-remaining': '400',
      };
      const body = url.startsWith('/properties?')
        ? { success: true, data: { properties } }
        : { success: url === '/health', message: 'Invalid request', error: 'VALIDATION_ERROR' };
      response.writeHead(body.success ? 200 : 400, { 'content-type': 'application/json', ...limits });
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    env = {
      DATABASE_URL: database.url,
      PROPERTY_1_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      PROPERTY_1_HOST: hosts.old,
      PROPERTY_1_KEY: 'a-key-of-properties',
      PROPERTY_1_PLAN: 'pro',
    };
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    played = nothingDiffers;
  });

  const dryRun = () =>
    run(
      [
        ...['--now', '2026-07-10T12:00:00Z', 'listings', 'migrate', 'property-1', '--to', hosts.new, '--dry-run'],
        ...['--request', '/properties?page=1'],
      ],
      env,
    );

  test('any request can be compared between the hosts, whatever its payload', async () => {
    const { code, stdout, stderr } = await dryRun();
    expect([code, stdout]).toEqual([0, expect.stringContaining('same  /properties?page=1')]);
    expect(stderr).toContain('The new host allows 500 requests a month, the old one 500.');
  });

  test('a renamed field is reported as a difference', async () => {
    played = { ...nothingDiffers, property: { id: 'A-1', amount: 1_250_000, beds: 2 } };
    const { code, stdout } = await dryRun();
    expect([code, stdout]).toEqual([1, expect.stringContaining('field data.properties[].price: number -> missing')]);
  });

  test('a larger plan on the new host is reported but does not stop the move, a smaller one does', async () => {
    played = { ...nothingDiffers, limit: { old: 500, new: 2_000 } };
    const larger = await dryRun();
    expect([larger.code, larger.stderr]).toEqual([0, expect.stringContaining('larger and dearer plan')]);
    played = { ...nothingDiffers, limit: { old: 500, new: 100 } };
    const smaller = await dryRun();
    expect([smaller.code, smaller.stderr]).toEqual([
      1,
      expect.stringContaining('a smaller plan. Subscribe to the same plan there first'),
    ]);
  });
});
