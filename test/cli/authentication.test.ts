import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSimulator, type Simulator, simulatorHosts } from '../../src/simulator/index.ts';
import { useDatabase } from '../support/database.ts';
import { sentinelKey } from '../support/sentinel-key.ts';
import { useCliHome } from './pricebook.ts';

describe('section 5: authentication', () => {
  const { run } = useCliHome();
  const database = useDatabase();
  let simulator: Simulator;
  let env: Record<string, string>;
  beforeAll(async () => {
    simulator = await createSimulator({ items: 40, key: sentinelKey });
    env = {
      DATABASE_URL: database.url,
      GROCERY_BASE_URL: simulator.url,
    };
  });
  afterAll(() => simulator.close());
  beforeEach(async () => {
    simulator.change({ key: sentinelKey, unsubscribedHosts: [], faults: [] });
    simulator.resetLog();
    await database.db.query('delete from ops.stop');
  });

  const ask = async (more: Record<string, string> = {}) => {
    const { code, stdout } = await run(['doctor', '--ask', '--json'], { ...env, ...more });
    const { findings } = JSON.parse(stdout) as { findings: { level: string; about: string; says: string }[] };
    return { code, of: (about: string) => findings.find((finding) => finding.about === about) };
  };

  test('5.1, 5.2: each configured listing is verified with one request, the key in its header', async () => {
    const { code, of } = await ask({ STORES_BASE_URL: simulator.url, STORES_KEY: sentinelKey });
    expect(code).toBe(0);
    expect(of('upstream')).toEqual({
      level: 'ok',
      about: 'upstream',
      says: 'answers at grocery.simulator and accepts the key',
    });
    expect(of('stores')).toMatchObject({ level: 'ok' });
    expect(of('property-1')).toBeUndefined();
    expect(simulator.log().byHost).toEqual({ [simulatorHosts.grocery]: 1, [simulatorHosts.stores]: 1 });
  });

  test('5.3: an unknown host is distinguished from a wrong key', async () => {
    const { code, of } = await ask({ GROCERY_HOST: 'elsewhere.example' });
    expect(code).toBe(1);
    expect(of('upstream')!.says).toMatch(
      /no listing with the host elsewhere\.example.* GROCERY_HOST and GROCERY_KEY.*listings migrate grocery/,
    );
    const stores = await ask({ GROCERY_HOST: simulatorHosts.stores });
    expect(stores.of('upstream')!.says).toMatch(/belongs to another listing/);
  });

  test('5.4: listings can have different keys, each reported with its own variable', async () => {
    const { code, of } = await ask({
      STORES_BASE_URL: simulator.url,
      STORES_KEY: 'another-key',
      GATEWAY_KEY: sentinelKey,
    });
    expect([code, of('upstream')!.level]).toEqual([0, 'ok']);
    expect(of('stores')).toMatchObject({
      level: 'warning',
      says: expect.stringContaining('STORES_KEY is not subscribed'),
    });
  });

  test('5.1: an unknown key (401) and a missing subscription (403) have different explanations', async () => {
    simulator.change({ faults: [{ kind: 'auth401' }] });
    const unknown = await ask();
    expect(unknown.code).toBe(78);
    expect(unknown.of('upstream')!.says).toMatch(
      /does not know the key \(401, "Invalid API key.*Copy it again into GROCERY_KEY/,
    );
    simulator.change({ faults: [], unsubscribedHosts: [simulatorHosts.grocery] });
    await database.db.query('delete from ops.stop');
    const unsubscribed = await ask();
    expect(unsubscribed.of('upstream')!.says).toMatch(/not subscribed to this listing \(403.*Subscribe at the gateway/);
  });

  test('5.5: a subscription makes the key usable at once', async () => {
    simulator.change({ unsubscribedHosts: [simulatorHosts.grocery] });
    expect((await ask()).of('upstream')!.level).toBe('error');
    simulator.change({ unsubscribedHosts: [] });
    expect((await ask()).of('upstream')!.level).toBe('ok');
  });
});
