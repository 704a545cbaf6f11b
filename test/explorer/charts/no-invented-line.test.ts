import fc from 'fast-check';
import { h } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { AvailabilityStrip } from '../../../src/web/charts/availability-strip.tsx';
import { type Day, dateOf, dayOf } from '../../../src/web/charts/days.ts';
import { plot } from '../../../src/web/charts/frame.tsx';
import { LinesChart, type LinesChartProps, linePath } from '../../../src/web/charts/lines-chart.tsx';
import { linear } from '../../../src/web/charts/scale.ts';
import { StepChart } from '../../../src/web/charts/step-chart.tsx';
import { axisOf, segmentsOf, stepPath } from '../../../src/web/charts/steps.ts';
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

  it('a step chart changes level only between two consecutive certified nights that both have a price', () => {
    fc.assert(
      fc.property(histories(price), ({ nights, chart, spells }) => {
        const path = stepPath(segmentsOf(spells, axisOf(chart)), same, same);
        const shown = new Map(nights.map(({ day, isCertified, value }) => [day, isCertified ? value : null]));
        for (const day of risersOf(path)) {
          expect([shown.get(day - 1) ?? null, shown.get(day) ?? null]).not.toContain(null);
        }
      }),
      { numRuns },
    );
  });

  it('a step chart hatches exactly the uncertified nights, and draws nothing across the hatching', () => {
    fc.assert(
      fc.property(histories(price), ({ nights, chart, spells }) => {
        const bands = spells.filter((_, i) => i % 2 === 0);
        const props = { id: 'a', title: 't', description: 'd', nights: chart, bands, bandName: 'b', format: String };
        const picture = renderToStaticMarkup(h(StepChart, { ...props, series: [{ name: 'shelf', spells }] }));
        const strip = renderToStaticMarkup(
          h(AvailabilityStrip, {
            ...props,
            spells: spells.map((spell) => ({ ...spell, value: spell.value! > 4 ? 'available' : 'unavailable' })),
          }),
        );
        const isGap = nights.some(({ isCertified }) => !isCertified);
        for (const drawn of [picture, strip]) {
          const gaps = rectanglesOf(drawn, 'gap');
          expect(gaps.length > 0).toBe(isGap);
          for (const kind of ['line s0', 'band', 'state available', 'state unavailable']) {
            for (const [from, to] of rectanglesOf(drawn, kind)) {
              // Places are rounded to a tenth of a pixel, the same way on both sides.
              expect(gaps.filter(([start, end]) => from < end && start < to)).toEqual([]);
            }
          }
        }
      }),
      { numRuns },
    );
  });

  it('a step chart marks only single nights between two gaps, where a line would be too short to be seen', () => {
    const night = (day: number) => dateOf(dayOf('2026-01-01') + day);
    const certified = new Set([0, 1, 2, 3, 4, 5, 6, 7, 50, 99, 100, 101].map(night));
    const nights = { first: night(0), last: night(199), certified: new Set([...certified, night(199)]) };
    const spells = [{ from: night(0), to: null, value: 3 }];
    const picture = renderToStaticMarkup(
      h(StepChart, {
        id: 'a',
        title: 't',
        description: 'd',
        nights,
        format: String,
        series: [{ name: 'shelf', spells }],
      }),
    );
    const marks = rectanglesOf(picture, 'lone s0');
    const x = linear([dayOf(night(0)), dayOf(night(200))], [plot.left, plot.right]);
    expect(marks.map(([at]) => Math.round(at))).toEqual([50, 199].map((day) => Math.round(x(dayOf(night(day)) + 0.5))));
  });
});

describe('a chart of an index', () => {
  const monday = dayOf('2026-06-01');
  const chartOf = (props: Pick<LinesChartProps, 'periods' | 'end' | 'series'>) =>
    renderToStaticMarkup(h(LinesChart, { id: 'a', title: 't', description: 'd', format: String, ...props }));

  it('an index chart marks only single periods between two gaps', () => {
    const periods = Array.from({ length: 30 }, (_, i) => dateOf(monday + i));
    const values = new Map([2, 3, 9, 29].map((i) => [periods[i]!, 100]));
    const picture = chartOf({ periods, series: [{ name: 'uk', values }] });
    expect(rectanglesOf(picture, 'lone s0')).toHaveLength(2);
  });

  it('an index chart connects only adjacent periods that both have a value of the series', () => {
    fc.assert(
      fc.property(histories(price), ({ nights }) => {
        const periods = nights.map(({ day }) => dateOf(day));
        const values = new Map(nights.map(({ day, value }) => [dateOf(day), value]));
        // Any days will do.
        const anew = new Set(periods.filter((_, i) => i % 3 === 2));
        const path = linePath(periods, values, same, same, undefined, anew);
        const points = [...path.matchAll(/([ML])(-?[\d.]+) (-?[\d.]+)/g)].map(([, step, x, y]) => [
          step,
          Number(x),
          Number(y),
        ]);
        const expected = nights.flatMap(({ day, value }, i) => {
          if (value === null) return [];
          const isJoined = i > 0 && nights[i - 1]!.value !== null && !anew.has(dateOf(day));
          return [[isJoined ? 'L' : 'M', day, value]];
        });
        expect(points).toEqual(expected);
      }),
      { numRuns },
    );
  });
});

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

/** From where to where each stroke of the drawing's paths of a class reaches; the keys above it aside. */
function rectanglesOf(markup: string, name: string): [number, number][] {
  const drawing = markup.slice(markup.indexOf('<desc'));
  const paths = [...drawing.matchAll(/<path class="([^"]+)"[^>]*? d="([^"]*)"/g)].filter(([, found]) => found === name);
  return paths.flatMap(([, , d]) =>
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

describe('the axes of a chart', () => {
  it('the axes of an empty chart have no values and state that there are no data', () => {
    const nights = { first: '2026-03-01', last: '2026-03-03', certified: new Set(['2026-03-01', '2026-03-03']) };
    const picture = renderToStaticMarkup(
      h(StepChart, {
        id: 'a',
        title: 't',
        description: 'd',
        nights,
        series: [{ name: 'shelf', spells: [] }],
        format: String,
      }),
    );
    expect(picture).toContain('no value on these nights');
    expect(picture).toContain('class="gap"');
    expect(picture).not.toMatch(/class="grid"|NaN/);
  });
});
