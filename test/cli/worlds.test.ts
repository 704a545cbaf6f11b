import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { useCliHome } from './pricebook.ts';

const night = ['--now', '2026-03-01', 'crawl', '--region', 'uk', '--max-details', '0'];
const asof = ['asof', '--region', 'uk', '--date', '2026-03-01', '--json'];

describe('a key after the demo', () => {
  const { home, run } = useCliHome();
  let live: Simulator;
  beforeAll(async () => {
    live = await createSimulator({ items: 40, superDepartments: 3, seed: 9, date: '2026-03-01' });
  });
  afterAll(() => live.close());

  test('with a key the real database is used, without a key the demo again', { timeout: 300_000 }, async () => {
    const withKey = { GROCERY_BASE_URL: live.url };
    expect((await run([...night, '--items', '60'])).code).toBe(0);
    expect(readdirSync(join(home, 'demo')).sort()).toEqual(['archive', 'postgres']);

    const real = await run(night, withKey);
    expect(real).toMatchObject({ code: 0, stdout: expect.stringMatching(/^uk 2026-03-01: complete/) });
    expect(readdirSync(home).sort()).toEqual(['archive', 'demo', 'postgres']);

    const listed = async (env = {}) => JSON.parse((await run([...asof, '--limit', '500'], env)).stdout).rows.length;
    expect(await listed(withKey)).toBe([...live.truth('uk', '2026-03-01')].length);
    expect(await listed()).toBeGreaterThan(50);

    const otherSize = await run([...night, '--items', '80']);
    expect(otherSize.code).toBe(78);
    expect(otherSize.stderr).toMatch(
      /^pricebook: .*another world: simulator seed=1 items=60.*PRICEBOOK_HOME.*reset.*\n$/m,
    );
  });
});
