import type { ComponentChildren, JSX } from 'preact';
import type { z } from 'zod';
import type { RowOf } from '../../questions/columns.ts';
import type { Question } from '../../questions/question.ts';
import { dateOf, dayOf } from '../charts/days.ts';
import { control } from './form.tsx';
import type { Block, ParametersOf, Shown } from './page.ts';
import { Chips, Kept } from './parts.tsx';

/** The values of a parameter as links; `''` is none. A value without a name is an error of types. */
export const chips =
  <Name extends string, Value extends string>(
    name: Name,
    label: string,
    names: Readonly<Record<Value, string>>,
  ): Block<unknown, Readonly<Record<Name, Exclude<Value, ''> | undefined>>> =>
  ({ written, parameters, hrefWith }) => {
    const chosen: string = parameters[name] ?? written[name] ?? '';
    const links = Object.entries<string>(names).map(
      ([value, words]) => [words, hrefWith({ [name]: value }), value === chosen] as const,
    );
    return <Chips label={label} of={links} />;
  };

/** A form of these parameters, or all, which folds on a phone beside rows. Fields follow from zod types. */
export const filters =
  <const Names extends readonly string[]>(...some: Names): Block<unknown, Readonly<Record<Names[number], unknown>>> =>
  async (page) => {
    const names: readonly string[] = some.length > 0 ? some : Object.keys(page.question.parameters.shape);
    const kept = Object.entries({ ...page.written, ...page.options }).filter(([name]) => !names.includes(name));
    const controls: JSX.Element[] = [];
    for (const name of names) controls.push(await control(page, name));
    return (
      <details class="filterbar" open={page.rows === undefined}>
        <summary>Filter</summary>
        <form class="filters" action={page.hrefWith({}).replace(/\?.*/, '')} autocomplete="off">
          <Kept of={Object.fromEntries(kept)} />
          {controls}
          <button type="submit">Show</button>
        </form>
      </details>
    );
  };

/** Blocks beside each other, with these widths; on a phone below each other. */
export const beside =
  (widths: 'stack' | 'pair flow' | 'pair wide-right' | 'pair find-page' | 'pair') =>
  <Row, Parameters>(...blocks: readonly NoInfer<Block<Row, Parameters>>[]): Block<Row, Parameters> =>
  async (page) => {
    const shown = (await inTurn(page, blocks)).filter((block) => block !== null && block !== undefined);
    return shown.length > 1 ? <div class={widths}>{shown}</div> : shown[0];
  };

export const pair = beside('pair');

/** Blocks for some parameters only. */
export const when =
  <Row, Parameters>(
    holds: (page: Shown<Row, Parameters>) => boolean | Promise<boolean>,
    ...blocks: readonly NoInfer<Block<Row, Parameters>>[]
  ): Block<Row, Parameters> =>
  async (page) =>
    (await holds(page)) ? together(page, blocks) : null;

/** Blocks about another question, for parameters that follow from those of the page. */
export const of =
  <Other extends Question, Parameters>(
    question: Other,
    given: (parameters: Parameters, page: Shown<unknown, Parameters>) => Partial<z.input<Other['parameters']>>,
    ...blocks: readonly Block<RowOf<Other>, ParametersOf<Other>>[]
  ): Block<unknown, Parameters> =>
  async (page) => {
    const other = await page.of(question, given(page.parameters, page));
    return together(other as Shown<RowOf<Other>, ParametersOf<Other>>, blocks);
  };

async function together<Row, Parameters>(page: Shown<Row, Parameters>, blocks: readonly Block<Row, Parameters>[]) {
  const [only, ...more] = await inTurn(page, blocks);
  return more.length === 0 ? only : [only, ...more];
}

/** What the blocks show. One asks after another, because they share a connection. */
export async function inTurn<Row, Parameters>(page: Shown<Row, Parameters>, blocks: readonly Block<Row, Parameters>[]) {
  const shown: ComponentChildren[] = [];
  for (const block of blocks) shown.push(await block(page));
  return shown;
}

/** Nights that charts and comparisons reach back. */
export const spans = { 'Last 30 nights': 30, 'Last 90 nights': 90, 'Last year': 365 } as const;

type Of = Pick<Shown<unknown, unknown>, 'hrefWith' | 'options' | 'written'>;

/** Nights that a chart reaches back, as links that set `since`. */
export function Ranges({ of, first, last }: { of: Of; first: string; last: string }) {
  const since = of.options['since'] ?? of.written['since'] ?? '';
  const shorter = Object.entries(spans).filter(([, nights]) => nights < dayOf(last) - dayOf(first));
  if (shorter.length === 0) return null;
  const shown = [
    ...shorter.map(([name, nights]) => [name, dateOf(dayOf(last) - nights)] as const),
    ['All nights', ''] as const,
  ];
  const links = shown.map(([name, date]) => [name, of.hrefWith({ since: date }), date === since] as const);
  return <Chips label="Length of the charts" of={links} />;
}
