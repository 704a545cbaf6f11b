import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { renderGauges } from '../../src/web/monitoring/gauges.ts';
import { readText } from '../house/source-files.ts';
import { metricsIn, renderEverything, values } from './every-metric.ts';

const isPromtoolThere = spawnSync('promtool', ['--version']).status === 0;

describe('metrics', () => {
  it('every metric is on the page that lists them, with type and labels, and the page lists no other', async () => {
    const entries = readText('docs/operate/metrics.md').matchAll(
      /^\* `([a-z_]+)` \((gauge|counter|histogram)(?:; ([^)]*))?\):/gm,
    );
    const listed = [...entries].map(([, name, type, labels = '']) => ({
      name,
      type,
      labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label!).sort(),
    }));
    const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }) => (a.name! < b.name! ? -1 : 1);
    expect(listed.sort(byName)).toEqual(metricsIn(await renderEverything()).sort(byName));
  });

  it('metrics report what they measured', async () => {
    const text = await renderEverything();
    const lines = text.split('\n');
    const measured = readText('test/metrics/measured.prom').trim().split('\n');
    expect(lines).toEqual(expect.arrayContaining(measured));
    // A request that never went out took no time.
    expect(text).not.toMatch(/duration_seconds\w*\{[^}]*outcome="aborted"/);
    // The limits of the stores listing are unknown.
    expect(text).not.toContain('pricebook_limit_units{listing="stores"');
  });

  it('metrics of a finished run disappear', async () => {
    await renderGauges([], values);
    const regions = values.regions.map((each) => ({ ...each, open: null }));
    expect(await renderGauges([], { ...values, regions })).not.toContain('pricebook_run_pages{');
  });

  it('metrics consist of the checks only while the database is not available', async () => {
    const text = await renderGauges([{ name: 'database', isNeeded: true, reason: 'away' }], null);
    expect(metricsIn(text).map(({ name }) => name)).toEqual(['pricebook_check_ok']);
  });
});

describe.runIf(isPromtoolThere)('promtool check metrics', () => {
  const check = (input: string) => spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });

  it('promtool reports no problem with any metric', async () => {
    const { status, stdout, stderr } = check(await renderEverything());
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
