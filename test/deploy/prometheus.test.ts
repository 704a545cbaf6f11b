import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readText, root } from '../house/source-files.ts';
import { metricsIn, renderEverything } from '../metrics/every-metric.ts';

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

const rules = (parse(readText('deploy/prometheus/alerts.yml')) as Rules).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(readText('deploy/grafana/dashboard.json')) as Dashboard;
const page = readText('docs/operate/metrics.md');
const isPromtoolThere = spawnSync('promtool', ['--version']).status === 0;

/** Names of ours, and of the process, that an expression reads. */
const namesIn = (expression: string) =>
  [...expression.matchAll(/\b(?:pricebook|process)_\w+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, ''));

describe('rules and dashboard', () => {
  const expressions = [
    ...rules.map(({ alert, expr }) => [alert, expr] as const),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ];

  it.each(expressions)('%s uses existing metrics', async (_, expression) => {
    const known = metricsIn(await renderEverything()).map(({ name }) => name);
    const named = namesIn(expression);
    if (named.length === 0) expect(expression).toBe('up{job="pricebook"} == 0');
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('every metric is used in rules or dashboard', async () => {
    const used = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr))));
    const unused = metricsIn(await renderEverything()).filter(({ name }) => !used.has(name));
    expect(unused).toEqual([]);
  });

  it('gauges that all processes report are not summed', () => {
    const alike = /\bsum\b(?: by \([^)]*\))? ?\(pricebook_(?!requests_total|check_ok)\w+(?<!_bucket|_sum|_count)\b/;
    expect(alike.test('sum by (region) (pricebook_run_open)')).toBe(true);
    expect(expressions.filter(([, expression]) => alike.test(expression))).toEqual([]);
  });

  it('every rule is documented', () => {
    const listed = [...page.matchAll(/^\* `(Pricebook\w+)`:/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });
});

describe.runIf(isPromtoolThere)('promtool', () => {
  const promtool = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: root, encoding: 'utf8' });
    return { status, said: `${stdout}${stderr}` };
  };

  it('promtool accepts rules and scrape configuration', () => {
    expect(promtool('check', 'rules', 'deploy/prometheus/alerts.yml')).toMatchObject({ status: 0 });
    expect(promtool('check', 'config', 'deploy/prometheus/prometheus.yml')).toMatchObject({ status: 0 });
  });

  it('every rule fires when it should and is silent otherwise', () => {
    const { status, said } = promtool('test', 'rules', 'test/deploy/alert-rules.yml');
    expect(said).toContain('SUCCESS');
    expect(status, said).toBe(0);
    const played = readText('test/deploy/alert-rules.yml');
    const fired = [...played.matchAll(/alertname: (\w+)\n\s+exp_alerts:/g)].map(([, name]) => name!);
    expect([...new Set(fired)].sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });
});
