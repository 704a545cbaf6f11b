import { describe, expect, it } from 'vitest';
import { samplesFolder } from './samples-folder.ts';
import { openSamples, surveySamples } from './survey.ts';

const folder = samplesFolder();

describe.skipIf(folder === null)('real data', () => {
  const findings = folder === null ? [] : surveySamples(openSamples(folder));

  it('95 % of real promotion texts, weighted by products, are understood', () => {
    const texts = findings.filter(({ what }) => /^promotion texts/.test(what) && !what.includes('confirmed'));
    expect(texts.length).toBeGreaterThan(1);
    for (const { total, understood } of texts) expect(understood / total).toBeGreaterThanOrEqual(0.95);
  });

  it('no loyalty price is found that a simple second reading does not confirm', () => {
    for (const { total, understood } of findings.filter(({ what }) => what.includes('confirmed')))
      expect(understood).toBe(total);
  });

  it('95 % of real pack sizes are read, and none differs from a simple second reading', () => {
    const named = findings.filter(({ what }) => what.startsWith('pack sizes that titles'));
    expect(named.length).toBeGreaterThan(1);
    for (const { total, understood } of named) expect(understood / total).toBeGreaterThanOrEqual(0.95);
    for (const { what, notes } of findings.filter((one) => /^pack sizes .*second reading/.test(one.what)))
      expect({ what, notes }).toEqual({ what, notes: [] });
  });

  it('all other real data are parsed, except what shops print inconsistently', () => {
    const loose = /^promotion texts|^pack sizes|price = unit price x pack|^tile titles/;
    for (const { what, total, understood, notes } of findings.filter((one) => !loose.test(one.what))) {
      expect({ what, understood, notes }).toEqual({ what, understood: total, notes: [] });
    }
  });
});
