import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSimulator, type FaultRule, type Simulator } from '../../src/simulator/index.ts';
import { useCliHome } from '../cli/pricebook.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { useInstallation } from '../support/queue-backends.ts';

describe('pricebook drift', () => {
  const installation = useInstallation();
  const cliHome = useCliHome();
  let simulator: Simulator;
  const drift = async (...args: string[]) => {
    const env = { DATABASE_URL: installation.databaseUrl, GROCERY_BASE_URL: simulator.url };
    return cliHome.run(['drift', '--region', 'uk', ...args], env);
  };
  const night = async (date: string, faults: readonly FaultRule[] = []) => {
    simulator.change({ date, faults: [...faults] });
    const env = { GROCERY_BASE_URL: simulator.url };
    const now = nightOf(date);
    const [run] = await crawlNight({
      installation,
      upstream: simulator.url,
      now,
      regions: ['uk'],
      home: cliHome.home,
      env,
    });
    return run!;
  };

  beforeAll(async () => {
    simulator = await createSimulator({ items: 200, superDepartments: 3, date: '2026-03-01' });
  });
  afterAll(() => simulator?.close());

  test('drift reports that there is no night to examine before the first night', async () => {
    const { code, stdout, stderr } = await drift();
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('uk: no such night has payloads in the archive');
  });

  test('drift finds no difference between two ordinary nights and sends no request', async () => {
    await night('2026-03-01');
    expect((await drift()).stderr).toContain('there is no earlier certified night to compare with');
    expect((await night('2026-03-02')).verdict).toBe('complete');
    const asked = simulator.log().total;
    const { nights, version } = JSON.parse((await drift('--json')).stdout);
    expect([version, nights[0].snapshot_date]).toEqual([3, '2026-03-02']);
    const findings = nights[0].endpoints.flatMap((each: { findings: { severity: string }[] }) => each.findings);
    expect(findings.filter(({ severity }: { severity: string }) => severity !== 'info')).toEqual([]);
    expect(simulator.log().total).toBe(asked);
  });

  test('drift reports a renamed price the same night, although all elements are quarantined', async () => {
    const run = await night('2026-03-03', [{ kind: 'movedField', field: 'price.price', to: 'price.amount' }]);
    expect(run.verdict === 'partial' || run.status === 'held').toBe(true);
    const { code, stdout, stderr } = await drift();
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /2026-03-03 +uk-category-page +breaking +\$ +100% of the elements are rejected \(price\.price: missing\)/,
    );
    expect(stdout).toMatch(/warning +data\.products\[\]\.price\.price +gone: it was in 100%/);
    expect(stdout).toMatch(/info +data\.products\[\]\.price\.amount +new: in 100%/);
    expect(stderr).toContain('Fix the parser');
    const { nights } = JSON.parse((await drift('--json')).stdout);
    expect(nights[0].endpoints.flatMap((each: { findings: object[] }) => each.findings)).toContainEqual(
      expect.objectContaining({ kind: 'lost_field', path: 'data.products[].price.price' }),
    );
  });

  test('drift compares the next night with the certified night before', async () => {
    await night('2026-03-04');
    const { nights } = JSON.parse((await drift('--json')).stdout);
    const [page] = nights[0].endpoints.filter((each: { endpoint: string }) => each.endpoint === 'uk-category-page');
    expect(page).toMatchObject({ compared_with: '2026-03-02' });
  });
});
