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
    const page = 'listing="grocery",endpoint="uk-category-page"';
    expect(lines).toEqual(
      expect.arrayContaining([
        'pricebook_requests_total{listing="grocery",endpoint="uk-category-page",outcome="ok"} 2',
        'pricebook_requests_total{listing="grocery",endpoint="uk-category-page",outcome="aborted"} 1',
        `pricebook_request_duration_seconds_bucket{le="0.2",${page},outcome="ok"} 1`,
        `pricebook_request_duration_seconds_bucket{le="1",${page},outcome="ok"} 2`,
        'pricebook_job_duration_seconds_sum{queue="finish-crawl",outcome="done"} 4',
        'pricebook_publication_duration_seconds_count{region="uk"} 1',
        'pricebook_build_info{role="work",version="1.2.3"} 1',
        'pricebook_check_ok{check="queue"} 0',
        'pricebook_certified_night_age_seconds{region="uk"} 122400',
        'pricebook_snapshot_age_seconds{region="uk"} 36000',
        'pricebook_snapshot_certified{region="uk"} 0',
        'pricebook_night_held{region="ie"} 1',
        'pricebook_run_pages{region="uk",state="outstanding"} 3',
        'pricebook_run_waiting{region="uk"} 1',
        'pricebook_limit_used_units{listing="grocery",window="month"} 1200',
        'pricebook_limit_units{listing="grocery",window="month"} 10000',
        'pricebook_listing_stopped{listing="grocery"} 1',
        'pricebook_queue_jobs{queue="crawl-uk",state="waiting"} 40',
        'pricebook_workers_alive 2',
        'pricebook_quarantined_records 3',
      ]),
    );
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
