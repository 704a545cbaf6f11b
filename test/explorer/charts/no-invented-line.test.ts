import fc from 'fast-check';
import { h } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { type Day, dateOf } from '../../../src/web/charts/days.ts';
import { Spark } from '../../../src/web/charts/spark.tsx';
import { StepChart } from '../../../src/web/charts/step-chart.tsx';
import {
  axisOf,
  chartNights,
  periodSegments,
  type Spell,
  segmentsOf,
  stepPath,
} from '../../../src/web/charts/steps.ts';
import { histories, numRuns } from './histories.ts';

const price = fc.integer({ min: 1, max: 9 });
const same = (value: number) => value;

describe('a step chart of any history', () => {
  it('a step chart shows the observed value on each certified night and nothing on other nights', () => {
    fc.assert(
      fc.property(histories(price), ({ nights, chart, spells }) => {
        const path = stepPath(segmentsOf(spells, axisOf(chart)), same, same);
        const expected = nights.flatMap(({ day, isCertified, value }) =>
          isCertified && value !== null ? [[day, value]] : [],
        );
        expect([...daysOf(path)]).toEqual(expected);
      }),
      { numRuns },
    );
  });

  it('a step chart hatches exactly the uncertified nights, and draws nothing across the hatching', () => {
    fc.assert(
      fc.property(histories(price), ({ nights, chart, spells }) => {
        const axis = axisOf(chart);
        const segments = segmentsOf(spells, axis);
        const bands = segmentsOf(
          spells.filter((_, i) => i % 2 === 0).map(({ from, to }) => ({ from, to, value: 'b' })),
          axis,
        ).map((band) => ({ ...band, kind: 'offer' as const }));
        const picture = chartOf(chart, spells, bands);
        const gaps = rectanglesOf(picture, 'gap');
        expect(gaps.length > 0).toBe(nights.some(({ isCertified }) => !isCertified));
        const small = renderToStaticMarkup(h(Spark, { axis, segments, change: 0 }));
        const lines = [
          ...strokesOf(picture, 'line').map(([from, to]) => [from / 10, to / 10] as const),
          ...strokesOf(small, null),
          ...rectanglesOf(picture, 'band offer'),
        ];
        for (const [from, to] of lines) {
          // Positions are rounded to a hundredth of a percent.
          expect(gaps.filter(([start, end]) => from + 0.02 < end && start + 0.02 < to)).toEqual([]);
        }
      }),
      { numRuns },
    );
  });

  it('a price chart spans a tenth of the price at least, in whole pence', () => {
    const chart = chartNights(['2026-06-01', '2026-06-02'])!;
    const labels = (before: number, after: number) => {
      const picture = chartOf(chart, [
        { from: '2026-06-01', to: '2026-06-02', value: before },
        { from: '2026-06-02', to: null, value: after },
      ]);
      return [...picture.matchAll(/<text class="y"[^>]*>([^<]*)/g)].map(([, label]) => Number(label));
    };
    expect(labels(1.93, 1.92)).toEqual([1.8, 1.85, 1.9, 1.95, 2, 2.05]);
    expect(labels(1, 2)).toEqual([0.5, 1, 1.5, 2, 2.5]);
    expect(labels(0.05, 0.053)).toEqual([0.04, 0.05, 0.06]);
  });
});

describe('a chart of an index', () => {
  it('an index chart connects only adjacent periods that both have a value of the same series', () => {
    fc.assert(
      fc.property(histories(price), ({ nights }) => {
        const periods = nights.map(({ day }) => dateOf(day));
        const values = new Map(nights.map(({ day, value }) => [dateOf(day), value]));
        // Any days will do.
        const anew = new Set(periods.filter((_, i) => i % 3 === 2));
        const [segments] = periodSegments(periods, undefined, [{ values, anew }]).series;
        const path = stepPath(segments!, same, same);
        expect([...daysOf(path)]).toEqual(nights.flatMap(({ day, value }) => (value === null ? [] : [[day, value]])));
        const joined = nights.flatMap(({ day, value }, i) =>
          i > 0 && value !== null && nights[i - 1]!.value !== null && !anew.has(dateOf(day)) ? [day] : [],
        );
        expect(risersOf(path)).toEqual(joined);
      }),
      { numRuns },
    );
  });
});

type Band = NonNullable<Parameters<typeof StepChart>[0]['bands']>[number];

function chartOf(nights: Parameters<typeof axisOf>[0], spells: readonly Spell<number>[], bands: readonly Band[] = []) {
  const axis = axisOf(nights);
  const series = [{ name: 'shelf', segments: segmentsOf(spells, axis) }];
  return renderToStaticMarkup(
    h(StepChart, { id: 'a', title: 't', description: 'd', axis, series, bands, format: String }),
  );
}

/** The days that a path of steps covers, with the value on each, in order. */
function daysOf(path: string): Map<Day, number> {
  const days = new Map<Day, number>();
  walk(path, (from, to, value) => {
    for (let day = from; day < to; day += 1) days.set(day, value);
  });
  return days;
}

function risersOf(path: string): Day[] {
  const days: Day[] = [];
  walk(
    path,
    () => undefined,
    (day) => days.push(day),
  );
  return days;
}

function walk(
  path: string,
  across: (from: number, to: number, y: number) => void,
  riser: (x: number) => void = () => {},
) {
  let [x, y] = [0, 0];
  for (const [, command, first, second] of path.matchAll(/([MHV])(-?[\d.]+)(?: (-?[\d.]+))?/g)) {
    if (command === 'M') [x, y] = [Number(first), Number(second)];
    else if (command === 'H') {
      across(x, Number(first), y);
      x = Number(first);
    } else {
      riser(x);
      y = Number(first);
    }
  }
}

/** From where to where each rectangle of a class reaches, in percent; the legend aside. */
function rectanglesOf(markup: string, name: string): [number, number][] {
  return [...markup.matchAll(/<rect class="([^"]+)"[^>]*? x="([\d.]+)%"[^>]*? width="([\d.]+)%"/g)]
    .filter(([, found]) => found === name)
    .map(([, , x, width]) => [Number(x), Number(x) + Number(width)]);
}

/** From where to where each stroke of the paths of a class reaches; null: of all paths. The legend is left out. */
function strokesOf(markup: string, name: string | null): [number, number][] {
  const drawing = markup.slice(Math.max(0, markup.indexOf('<desc')));
  const paths = [...drawing.matchAll(/<path(?: class="([^"]+)")?[^>]*? d="(M[^"]*)"/g)];
  return paths
    .filter(([, found]) => (found ?? null) === name)
    .flatMap(([, , d]) =>
      d!
        .split('M')
        .filter(Boolean)
        .map((stroke): [number, number] => {
          const start = Number(/^-?[\d.]+/.exec(stroke)![0]);
          const reached = [...stroke.matchAll(/H(-?[\d.]+)/g)].map((match) => Number(match[1]));
          return [start, Math.max(start, ...reached)];
        }),
    );
}
