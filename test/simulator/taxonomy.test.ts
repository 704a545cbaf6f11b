import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { ask, categoriesOf, rootsOf, taxonomyPath } from './asking.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await createSimulator({ items: 2000, date: '2026-03-01' });
});
afterAll(() => simulator.close());

describe('the taxonomy', () => {
  it('ids are computed from untrimmed names, with every character of base64', async () => {
    for (const region of ['uk', 'ie'] as const) {
      const categories = await categoriesOf(simulator, region);
      for (const { id, name } of categories) {
        const path = decodeURI(Buffer.from(id.slice(2), 'base64').toString('latin1')).split('|');
        expect(path.at(-1)).toBe(name);
      }
      expect(new Set(categories.map(({ id }) => id)).size).toBe(categories.length);
      expect(categories.some(({ id }) => /[/+]/.test(id))).toBe(true);
      expect(categories.some(({ name }) => name !== name.trim())).toBe(true);
      expect(categories.some(({ name }) => /[^\x20-\x7e]/.test(name))).toBe(true);
      expect(categories.filter(({ name }) => name === 'Desserts').length).toBeGreaterThan(2);
      expect(new Set(categories.map(({ label }) => label))).toEqual(
        new Set(['superDepartment', 'department', 'aisle', 'shelf']),
      );
    }
  });

  it('children can be null or missing, as declared', async () => {
    const { text } = await ask(simulator, taxonomyPath.uk);
    expect(text).toMatch(/,null\]/);
    expect(text).toMatch(/"children":\[\]/);
    const leaves = (await categoriesOf(simulator, 'uk')).filter(({ label }) => label === 'shelf');
    expect(leaves.some(({ children }) => children === undefined)).toBe(true);
  });

  it('the taxonomy changes with the season', async () => {
    const names = async (date: string) => {
      simulator.change({ date });
      return (await rootsOf(simulator, 'uk')).map(({ name }) => name);
    };
    expect(await names('2026-03-31')).toContain('Winter Warmers ');
    expect(await names('2026-04-01')).toContain('Summer');
    expect(await names('2026-04-01')).not.toContain('Winter Warmers ');
    simulator.change({ date: '2026-03-01' });
  });
});
