import { describe, expect, it } from 'vitest';
import { useExplorer } from '../explorer-book.ts';

const explorer = useExplorer();

describe('the index', () => {
  it('no line is drawn through a night that is not certified', async () => {
    const html = await explorer.page('/index?region=uk');
    expect(html).toContain('no complete night');
    expect(html).toMatch(/<h1>Prices in the United Kingdom show no clear change since 6 Jun: [^<]+% ±[^<]+<\/h1>/);
    expect(html).toMatch(/<path opacity="0.15"[^>]* d="M[^"]+Z"/);
    expect(html).not.toContain('in 30 nights');
    expect(await explorer.page('/index?region=uk&period=week')).toMatch(
      /<h1>Prices in the United Kingdom in the week of 8 June 2026 \(2 nights\) [^<]* of 1 June 2026 \(2 nights\).*±/,
    );
    // The values are one click away, the newest first.
    const [, first = ''] = /<caption class="hidden">Values: Price index.*?<tbody>(.*?)<\/tr>/.exec(html)!;
    expect(first).toMatch(/>10 Jun 2026<.*>[\d.]+ ±[\d.]+</);
    const path = [...html.matchAll(/<path class="line"[^>]*? d="(M[^"]+)"/g)].at(-1)![1]!;
    // Two nights, the gap, two nights: two pieces of two steps.
    expect(path.replace(/[^MV]/g, '')).toBe('MVMV');
  });
});

it('contributions of home departments add up exactly to the change, and errors stand beside changes', async () => {
  const [whole, ...parts] = await explorer.rows('contributions');
  const values = (await explorer.rows('index', 'region=uk&period=day')).map(({ value }) => Number(value));
  expect(Number(whole!['contribution_points'])).toBeCloseTo(100 * (values.at(-1)! / values[0]! - 1), 5);
  expect(parts.length).toBeGreaterThan(3);
  const points = parts.map((part) => Number(part['contribution_points']));
  expect(points).toEqual(points.toSorted((one, other) => other - one));
  expect(points.reduce((sum, one) => sum + one, 0)).toBeCloseTo(Number(whole!['contribution_points']), 5);
  const page = await explorer.page('/contributions?region=uk');
  expect(page).toContain('The contributions add up to the change of everything');
  expect(page).toContain(` ±${Number(whole!['change_error_pct']).toFixed(2)}</small>`);
  const weeks = await explorer.page('/index?region=uk&period=week');
  expect(weeks).toMatch(/By department, the week of 8 June 2026 \(2 .*>Since the week of 1 June 2026 \(2 nights\)</s);
  expect(weeks).not.toContain('Contribution');
});
