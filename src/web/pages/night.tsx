import type { JSX } from 'preact';
import { NothingFound } from '../../base/errors.ts';
import { fields, type RowOf } from '../../questions/columns.ts';
import { certificateNames, nights } from '../../questions/nights.ts';
import { quarantine } from '../../questions/quarantine.ts';
import { sql } from '../../questions/sql.ts';
import { evidence, evidenceInWords, meanings } from '../certificate-words.ts';
import { searchOf } from '../kernel/addresses.ts';
import { of } from '../kernel/blocks.tsx';
import { type ParametersOf, page, type Shown } from '../kernel/page.ts';
import { Card, Chips, Facts, withCode } from '../kernel/parts.tsx';
import { table, tableOf } from '../kernel/table.tsx';
import { instant, longDate, money, number, plural, regionName, text, unsnaked } from '../kernel/words.ts';
import { costWords, isOfSimulator } from './operations.tsx';

type Night = RowOf<typeof nights>;
type NightPage = Shown<Night, ParametersOf<typeof nights>>;

/** The named night, or the last one. */
async function nightOf({ rows, parameters: { region } }: NightPage): Promise<Night> {
  const [night] = (await rows({ given: { region: region ?? 'uk' }, limit: 1 })).rows;
  if (!night || night.run_id === null) throw new NothingFound('There is no such night with a certificate.');
  return night;
}

/** The certificate with its reasons, and the evidence for it. */
async function verdict(shown: NightPage): Promise<JSX.Element> {
  const night = await nightOf(shown);
  const lines = (night.reasons ?? '').split('\n').filter((line) => line !== '');
  const certificate = night.certificate as keyof typeof meanings | null;
  const words = certificate === null ? 'not judged' : certificateNames[certificate];
  return (
    <div class="cards">
      <Card title="Verdict">
        <p class="big">{night.status === 'published' ? words : `${words}, ${unsnaked(night.status ?? '')}`}</p>
        <p>{certificate && meanings[certificate]}</p>
        {lines.length > 0 && (
          <ul>
            {lines.slice(0, 50).map((line) => (
              <li key={line}>{text(line)}</li>
            ))}
          </ul>
        )}
        {lines.length > 50 && <p>And {number(lines.length - 50)} more; the CSV has all.</p>}
        {(night.status === 'held' || certificate === 'partial') && (
          <p>{withCode('`pricebook status` and `pricebook doctor` say what to do about such a night.')}</p>
        )}
        {night.status === 'published' && <Chips label="What this night holds" of={contentsOf(night)} />}
      </Card>
      <Card title="Evidence">
        <Facts
          of={[
            ...evidenceInWords((await shown.ask({ ...evidence, sql: evidence.of(night.run_id!) }))[0]),
            ['Afterwards', `${number(night.products_listed)} listed, ${number(night.products_available)} for sale`],
            ['In quarantine', plural(night.items_in_quarantine ?? 0, 'element')],
            [
              'Spent',
              `${plural(night.requests_spent ?? 0, 'request')}, ` +
                (night.cost === null
                  ? costWords(null, await isOfSimulator(shown.ask))
                  : money(night.cost, night.currency)),
            ],
            [
              'Time',
              night.started_at &&
                `${instant(night.started_at)} to ${night.finished_at === null ? 'now' : instant(night.finished_at)}`,
            ],
            [
              'Rebuilt from history',
              night.is_verified === null
                ? 'not yet'
                : night.is_verified
                  ? 'matches its certificate'
                  : 'DOES NOT MATCH its certificate',
            ],
            ['Run', String(night.run_id)],
          ]}
        />
      </Card>
    </div>
  );
}

const contentsOf = ({ region, snapshot_date: date }: Night) =>
  [
    ['Its prices as CSV', `/api/v1/questions/asof.csv${searchOf({ region, date })}`],
    ['What changed', `/movers${searchOf({ region, until: date })}`],
  ] as const;

const categories = tableOf(async (shown: NightPage) => ({
  caption: 'Declared and received, by category',
  columns: [
    { name: 'path', heading: 'Category' },
    { name: 'declared_first', heading: 'Declared first', as: 'number' },
    { name: 'declared_last', heading: 'Declared last', as: 'number' },
    { name: 'distinct_products', heading: 'Seen', as: 'number' },
    { name: 'missing_products', heading: 'Missing', as: 'number' },
    { name: 'pages_planned', heading: 'Pages planned', as: 'number' },
    { name: 'pages_read', heading: 'Read', as: 'number' },
    { name: 'pages_failed', heading: 'Failed', as: 'number' },
  ],
  onPhone: ['path', 'declared_last', 'distinct_products', 'missing_products', 'pages_failed'],
  sql: sql`
    select * from marts.certificate_category
    where run_id = ${(await nightOf(shown)).run_id} and not is_sample
    order by missing_products desc nulls first, pages_failed desc, path
    limit 300`,
}));

const findings = tableOf(
  async (shown: NightPage) => ({
    caption: 'Findings of the checks',
    columns: [
      ...fields('severity'),
      { name: 'name', heading: 'Check' },
      { name: 'found', as: 'number' },
      { name: 'message', as: 'sentence' },
    ],
    sql: sql`
      select severity, name, found, message from marts.check_finding
      where run_id = ${(await nightOf(shown)).run_id} order by severity, name`,
  }),
  'The checks found no problem.',
);

async function elements(shown: NightPage) {
  const { run_id: run } = await nightOf(shown);
  return of(quarantine, () => ({ run: run! }), table({ title: 'Quarantined elements', limit: 200 }))(shown);
}

export const nightPage = page(nights, {
  path: '/night',
  isOperations: true,
  about: 'The certificate of one night: what was requested, declared and received, and the reasons for the verdict.',
  async title(shown) {
    const { region, snapshot_date: date } = await nightOf(shown);
    return `Night of ${longDate(date)}, ${regionName(region)}`;
  },
  blocks: [verdict, categories, findings, elements],
});
