import type { ComponentChildren, JSX } from 'preact';
import { NothingFound } from '../../base/errors.ts';
import { fields, type RowOf } from '../../questions/columns.ts';
import { nights } from '../../questions/nights.ts';
import { sql } from '../../questions/sql.ts';
import { evidence, evidenceInWords, meanings } from '../certificate-words.ts';
import { searchOf } from '../kernel/addresses.ts';
import { pair } from '../kernel/blocks.tsx';
import { type ParametersOf, page, type Shown } from '../kernel/page.ts';
import { Card, Chips, Facts, withCode } from '../kernel/parts.tsx';
import { Table } from '../kernel/table.tsx';
import { articled, instant, longDate, money, number, plural, regionName, text, unsnaked } from '../kernel/words.ts';
import { costWords, isOfSimulator } from './operations.tsx';

type Night = RowOf<typeof nights>;
type NightPage = Shown<Night, ParametersOf<typeof nights>>;

/** The named night, or the last one. */
async function nightOf({ rows, parameters: { region } }: NightPage): Promise<Night> {
  const [night] = (await rows({ given: { region: region ?? 'uk' }, limit: 1 })).rows;
  if (!night || night.run_id === null) throw new NothingFound('There is no such night with a certificate.');
  return night;
}

/** What was done, in order, why the verdict is no better, and what it cost. */
async function steps(shown: NightPage): Promise<JSX.Element> {
  const night = await nightOf(shown);
  const { region, snapshot_date: date, run_id: run, certificate, cost, started_at: start, finished_at: end } = night;
  const [row] = await shown.ask({ ...evidence, sql: evidence.of(run!) });
  const findings = await shown.ask({
    caption: 'Findings of the checks',
    columns: fields('severity', 'message'),
    sql: sql`select severity, message from marts.check_finding where run_id = ${run} order by severity, name`,
  });
  const [beside = {}] = await shown.ask({
    caption: 'The nights beside it',
    columns: ['before', 'after'].map((name) => ({ name, as: 'date' as const })),
    sql: sql`
      select max(snapshot_date) filter (where snapshot_date < ${date}) as before,
        min(snapshot_date) filter (where snapshot_date > ${date}) as after
      from marts.snapshot where region = ${region}`,
  });
  const others = Object.entries(beside).flatMap(([side, other]) =>
    other ? [[`Night ${side}`, `/night${searchOf({ region, date: String(other) })}`] as const] : [],
  );
  const lacking: Readonly<Record<string, unknown>> = { Received: row?.pages_failed, Missing: row?.missing };
  const [kind, sign] = certificate === 'partial' ? ['bad', '✕'] : ['warn', '!'];
  const marked = (isGood: boolean, words: ComponentChildren) => (
    <>
      <span class={isGood ? 'real' : kind}>{isGood ? '✓' : sign}</span> {words}
    </>
  );
  const spent = cost === null ? costWords(null, await isOfSimulator(shown.ask)) : money(cost, night.currency);
  const elements = plural(night.items_in_quarantine ?? 0, 'element');
  const listed = `${number(night.products_listed)} listed, ${number(night.products_available)} for sale`;
  const checked = findings.length === 0 ? 'found no problem' : plural(findings.length, 'finding');
  const isPublished = night.status === 'published';
  const matches = `${night.is_verified ? 'matches' : 'DOES NOT MATCH'} its certificate`;
  const lines = [
    ...(night.reasons ?? '').split('\n').filter((line) => line !== ''),
    ...findings.map(({ severity, message }) => `${severity === 'block' ? 'Held for' : 'Noted'}: ${message}`),
  ];
  const prices = ['Its prices as CSV', `/api/v1/questions/asof.csv${searchOf({ region, date })}`] as const;
  const moved = ['What changed', `/movers${searchOf({ region, until: date })}`] as const;
  return (
    <Card title="What was done" aside={start && `${instant(start)} to ${end === null ? 'now' : instant(end)}`}>
      <Facts
        of={[
          ...evidenceInWords(row).map(([name, words]) => [name, words && marked(!lacking[name], words)] as const),
          ['In quarantine', marked(!night.items_in_quarantine, <a href={`/quarantine?run=${run}`}>{elements}</a>)],
          ['Checks', marked(findings.length === 0, checked)],
          ['Published', marked(isPublished, isPublished ? listed : `no: ${unsnaked(night.status ?? '')}`)],
          ['Rebuilt from history', night.is_verified === null ? 'not checked yet' : marked(night.is_verified, matches)],
          ['Spent', `${plural(night.requests_spent ?? 0, 'request')} for categories, pages and details; ${spent}`],
          ['Run', String(run)],
        ]}
      />
      <ul>
        {lines.slice(0, 50).map((line) => (
          <li key={line}>{text(line)}</li>
        ))}
      </ul>
      {lines.length > 50 && <p>And {number(lines.length - 50)} more; the CSV has all.</p>}
      {(night.status === 'held' || certificate === 'partial') && (
        <p>{withCode('`pricebook status` and `pricebook doctor` say what to do about such a night.')}</p>
      )}
      <Chips
        label="What this night holds, and other nights"
        of={[...(isPublished ? [prices, moved] : []), ...others, ['All nights', '/operations']]}
      />
    </Card>
  );
}

/** Categories, those that lack most first. */
async function categories(shown: NightPage): Promise<JSX.Element> {
  const caption = 'Declared and seen, by category';
  const numbers = {
    ...{ declared_last: 'Declared', distinct_products: 'Seen', missing_products: 'Missing' },
    ...{ pages_planned: 'Pages', pages_failed: 'Failed' },
  };
  const numeric = Object.entries(numbers).map(([name, heading]) => ({ name, heading, as: 'number' as const }));
  const columns = [{ name: 'path', heading: 'Category' }, ...numeric];
  const { run_id: run } = await nightOf(shown);
  const statement = sql`
        select * from marts.certificate_category
        where run_id = ${run} and not is_sample
        order by missing_products desc nulls last, pages_failed desc, path`;
  const rows = await shown.ask({ caption, columns, sql: statement });
  return (
    <Card title={caption}>
      <Table {...{ caption, columns, rows }} onPhone={['path', 'distinct_products', 'missing_products']} />
    </Card>
  );
}

export const nightPage = page(nights, {
  path: '/night',
  isOperations: true,
  about: 'The certificate of one night: what was requested, declared and received, and the reasons for the verdict.',
  async title(shown) {
    const { region, snapshot_date: date, status, certificate } = await nightOf(shown);
    const verdict = unsnaked((status === 'published' ? certificate : status) ?? 'not judged');
    return `The night of ${longDate(date)} in ${articled(regionName(region))} is ${verdict}`;
  },
  async lead(shown) {
    const { certificate } = await nightOf(shown);
    return certificate === null ? '' : meanings[certificate as keyof typeof meanings];
  },
  blocks: [pair(steps, categories)],
});
