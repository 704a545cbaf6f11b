import fc from 'fast-check';
import { h } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { AvailabilityStrip } from '../../../src/web/charts/availability-strip.tsx';
import { type Day, dateOf, dayOf } from '../../../src/web/charts/days.ts';
import { plot } from '../../../src/web/charts/frame.tsx';
import { LinesChart, type LinesChartProps, linePath } from '../../../src/web/charts/lines-chart.tsx';
import { NightCalendar } from '../../../src/web/charts/night-calendar.tsx';
import { dayTicks, linear } from '../../../src/web/charts/scale.ts';
import { chartNights, StepChart } from '../../../src/web/charts/step-chart.tsx';
import { axisOf, segmentsOf, stepPath } from '../../../src/web/charts/steps.ts';
import { histories, numRuns } from './histories.ts';

const price = fc.integer({ min: 1, max: 9 });
const same = (value: number) => value;

describe('a step chart of any history', () => {
  it('shows on each certified night what was seen on it, and on no other night anything', () => {
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

  it('has risers only between two certified nights that follow each other and both have a price', () => {
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

  it('hatches exactly the nights that are not certified, and no line, band or state as drawn crosses the hatching', () => {
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

  it('marks a night between two gaps where its line is too short to be seen, and no other', () => {
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

  it('holds a price to the night on which the product was gone', () => {
    const certified = new Set(['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'] as const);
    const axis = axisOf({ first: '2026-03-01', last: '2026-03-04', certified });
    const [segment] = segmentsOf([{ from: '2026-03-01', to: '2026-03-03', value: 100 }], axis);
    expect([dateOf(segment!.from), dateOf(segment!.to)]).toEqual(['2026-03-01', '2026-03-03']);
  });
});

describe('a chart zoomed to any stretch of any history', () => {
  /** A history and two of its dates, as an address names them: the second may be before the first. */
  const zoomed = histories(price).chain((history) => {
    const dates = fc.constantFrom(...history.nights.map(({ day }) => dateOf(day)));
    return fc.record({ history: fc.constant(history), from: dates, to: dates });
  });

  it('shows on each certified night of it what was seen on it, from its first to its last, and nothing beyond', () => {
    fc.assert(
      fc.property(zoomed, ({ history: { nights, chart, spells }, from, to }) => {
        const shown = chartNights([...chart.certified].filter((date) => from <= date && date <= to));
        const within = nights.filter(({ day, isCertified }) => isCertified && from <= dateOf(day) && dateOf(day) <= to);
        expect(shown === null).toBe(within.length === 0);
        if (shown === null) return;
        const axis = axisOf(shown);
        const path = stepPath(segmentsOf(spells, axis), same, same);
        expect([...daysOf(path)]).toEqual(within.flatMap(({ day, value }) => (value === null ? [] : [[day, value]])));
        expect([axis.from, axis.to]).toEqual([within[0]!.day, within.at(-1)!.day + 1]);
        const known = new Map(within.map(({ day, value }) => [day, value]));
        for (const day of risersOf(path)) {
          expect([known.get(day - 1) ?? null, known.get(day) ?? null]).not.toContain(null);
        }
      }),
      { numRuns },
    );
  });

  it('joins periods of an index within it alone', () => {
    fc.assert(
      fc.property(zoomed, ({ history: { nights }, from, to }) => {
        const within = nights.filter(({ day }) => from <= dateOf(day) && dateOf(day) <= to);
        const values = new Map(within.map(({ day, value }) => [dateOf(day), value]));
        const path = linePath(
          within.map(({ day }) => dateOf(day)),
          values,
          same,
          same,
        );
        const points = [...path.matchAll(/([ML])(-?[\d.]+) /g)].map(([, step, x]) => [step, Number(x)]);
        expect(points).toEqual(
          within.flatMap(({ day, value }, i) =>
            value === null ? [] : [[i > 0 && within[i - 1]!.value !== null ? 'L' : 'M', day]],
          ),
        );
      }),
      { numRuns },
    );
  });
});

describe('a chart of an index', () => {
  const monday = dayOf('2026-06-01');
  const chartOf = (props: Pick<LinesChartProps, 'periods' | 'end' | 'series'>) =>
    renderToStaticMarkup(h(LinesChart, { id: 'a', title: 't', description: 'd', format: String, ...props }));

  it('marks a period between two gaps, to which no line leads, and no other', () => {
    const periods = Array.from({ length: 30 }, (_, i) => dateOf(monday + i));
    const values = new Map([2, 3, 9, 29].map((i) => [periods[i]!, 100]));
    const picture = chartOf({ periods, series: [{ name: 'uk', values }] });
    expect(rectanglesOf(picture, 'lone s0')).toHaveLength(2);
  });

  it('spans its periods, from the first night where that lies in the first, and places each on its first day or that night', () => {
    const weeks = fc.integer({ min: 1, max: 8 }).chain((count) =>
      fc.record({
        count: fc.constant(count),
        lines: fc.array(
          fc.record({
            values: fc.array(fc.option(price, { nil: null }), { minLength: count, maxLength: count }),
            begins: fc.option(fc.integer({ min: -3, max: 60 }), { nil: null }),
          }),
          { minLength: 1, maxLength: 3 },
        ),
      }),
    );
    fc.assert(
      fc.property(weeks, ({ count, lines }) => {
        const days = Array.from({ length: count }, (_, i) => monday + 7 * i);
        const periods = days.map(dateOf);
        const series = lines.map(({ values, begins }, i) => ({
          name: `line ${i}`,
          begins: begins === null ? null : dateOf(monday + begins),
          values: new Map(values.map((value, j) => [periods[j]!, value])),
        }));
        const placesOf = (begins: number | null) =>
          days.map((day, i) => (begins !== null && begins > 7 * i && begins < 7 * (i + 1) ? monday + begins : day));
        const picture = chartOf({ periods, end: dateOf(monday + 7 * count), series });

        const from = Math.min(...lines.map(({ begins }) => placesOf(begins)[0]!));
        expect(spanOf(picture)).toEqual({ from: dateOf(from), days: monday + 7 * count - from });
        const x = linear([from, monday + 7 * count], [plot.left, plot.right]);
        const expected = lines.map(({ values, begins }) =>
          placesOf(begins).flatMap((place, i) => (values[i] === null ? [] : [x(place)])),
        );
        expect(lines.map((_, i) => pointsOf(picture, i))).toEqual(expected);
        for (const [start, end] of rectanglesOf(picture, 'gap')) {
          expect([plot.left <= start, start < end, end <= plot.right]).toEqual([true, true, true]);
        }
      }),
      { numRuns },
    );
  });

  it('reaches from the first night to the end of the only week or month of a book that began in its middle', () => {
    const of = (period: string, end: string, begins: string) =>
      chartOf({ periods: [period], end, series: [{ name: 'uk', begins, values: new Map([[period, 100]]) }] });
    const month = of('2026-06-01', '2026-07-01', '2026-06-15');
    expect(spanOf(month)).toEqual({ from: '2026-06-15', days: 16 });
    expect(pointsOf(month, 0)).toEqual([plot.left]);
    expect(month).toContain('>15 Jun</text>');
    expect(spanOf(of('2026-06-08', '2026-06-15', '2026-06-14'))).toEqual({ from: '2026-06-14', days: 1 });
  });

  it('joins neighbouring periods that both have a value of one series, and no others', () => {
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

/** The first day and the number of days of the drawing's axis. */
function spanOf(markup: string): { from: string; days: number } {
  const [, from, days] = /data-from="([^"]+)" data-days="([^"]+)"/.exec(markup)!;
  return { from: from!, days: Number(days) };
}

/** Where the points of a line stand on the page; a line without any has an attribute without a value. */
function pointsOf(markup: string, line: number): number[] {
  const drawing = markup.slice(markup.indexOf('<desc'));
  const [, path = ''] = new RegExp(`<path class="line s${line}" d(?:="([^"]*)")?`).exec(drawing)!;
  return [...path.matchAll(/[ML](-?[\d.]+) /g)].map(([, x]) => Number(x));
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
  it('name two dates at least, however long it is and whenever it begins', () => {
    const few: number[][] = [];
    for (const length of [2, 30, 45, 46, 52, 60, 75, 92, 93, 120, 400, 1_100]) {
      for (let start = 20_000; start < 20_400; start += 27) {
        if (dayTicks(start, start + length).length < 2) few.push([start, length]);
      }
    }
    expect(few).toEqual([]);
  });

  it('have no values where nothing is drawn, and say so', () => {
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

it('a calendar of nights is as wide as the name of the month that begins last', () => {
  for (const first of ['2026-10-11', '2026-10-31', '2026-11-01', '2026-10-02']) {
    const picture = renderToStaticMarkup(
      h(NightCalendar, { id: 'a', title: 't', first, last: '2026-11-05', nights: [] }),
    );
    const width = Number(/viewBox="0 0 (\d+) /.exec(picture)![1]);
    for (const [, x] of picture.matchAll(/<text class="tick" x="(\d+)" y="14">/g)) {
      expect(width - Number(x)).toBeGreaterThan(50);
    }
  }
});
