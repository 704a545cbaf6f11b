import { z } from 'zod';
import { regions } from '../../base/model/index.ts';
import { DateParameter, RegionParameter } from '../../questions/parameters.ts';
import { filled, TableCard } from '../data-table.tsx';
import { definePage } from '../page.ts';
import { Card } from '../parts.tsx';
import { withCode } from '../with-code.tsx';
import { instant, longDate, money, nothing, number, text } from '../words.ts';
import { certificateWords, meaningOf } from './certificate-words.tsx';
import { categoriesOf, certificateOf, findingsOf, type Judged, judgedRun, quarantineOf } from './night-queries.ts';

export const night = definePage({
  path: '/night',
  isOperations: true,
  isOfOneThing: true,
  about: 'The certificate of one night: what was requested, declared and received, and the reasons for the verdict.',
  parameters: {
    region: RegionParameter,
    date: DateParameter.optional().meta({ description: 'Night; by default the last one' }),
    run: z.coerce
      .number('must be the number of a run')
      .int('must be the number of a run')
      .min(1, 'must be the number of a run')
      .max(2_147_483_647, 'must be the number of a run')
      .optional()
      .meta({ description: 'Run, if a night has several' }),
  },
  queries: (p) => {
    const run = judgedRun(p.region, p.date, p.run);
    return {
      certificate: certificateOf(run),
      categories: categoriesOf(run),
      findings: findingsOf(run),
      quarantine: quarantineOf(run),
    };
  },
  title: ({ region, date: asked }, { certificate: { rows } }) => {
    const date = rows[0]?.snapshot_date ?? asked;
    return `Night${date === undefined ? '' : ` of ${longDate(date)}`}, ${regions[region].name}`;
  },
  empty: ({ certificate: { rows } }) => (rows.length === 0 ? 'There is no such night with a certificate.' : null),
  view: ({ tables: { certificate, categories, findings, quarantine } }) => {
    const judged = certificate.rows[0]!;
    const link = (label: string, date: string | null) =>
      date === null ? null : (
        <a href={`/night?region=${judged.region}&date=${date}`}>{`${label}: ${longDate(date)}`}</a>
      );
    return (
      <>
        <nav class="pager" aria-label="Nights">
          {link('Night before', judged.earlier_date)} {link('Night after', judged.later_date)}{' '}
          <a href={`/nights?region=${judged.region}`}>All nights</a>
        </nav>
        <div class="cards">
          <Card title="Verdict">
            <p class="big">{certificateWords(judged.status, judged.certificate)}</p>
            <p>{meaningOf(judged.certificate)}</p>
            <Why judged={judged} />
          </Card>
          <Evidence judged={judged} />
        </div>
        {(judged.status === 'held' || judged.certificate === 'partial') && (
          <p>{withCode('`pricebook status` and `pricebook doctor` say what to do about such a night.')}</p>
        )}
        <TableCard of={filled(categories)} />
        <TableCard of={filled(findings)} />
        <TableCard of={filled(quarantine)} />
      </>
    );
  },
});

function Why({ judged: { certificate, reasons, released_because } }: { judged: Judged }) {
  const lines = reasons === '' ? [] : reasons.split('\n');
  return (
    <>
      {lines.length === 0 ? (
        certificate !== 'complete' && <p>No reason is recorded.</p>
      ) : (
        <ul>
          {lines.slice(0, 50).map((line) => (
            <li key={line}>{text(line)}</li>
          ))}
        </ul>
      )}
      {lines.length > 50 && <p>And {number(lines.length - 50)} more; the CSV has all.</p>}
      {released_because !== null && <p>Released by a person: {text(released_because)}</p>}
    </>
  );
}

/** Evidence of the certificate as a list of facts. */
function Evidence({ judged }: { judged: Judged }) {
  const facts: readonly (readonly [string, string])[] = [
    [
      'Requested',
      `${count(judged.pages_planned)} pages of ${count(judged.walked)} categories. ` +
        `All ${count(judged.categories_in_taxonomy)} categories lie in these, whose pages list their products`,
    ],
    [
      'Requested again',
      `${count(judged.pages_read_again)} pages, ${count(judged.samples)} samples, ` +
        `${count(judged.products_asked_after)} products`,
    ],
    ['Declared', `${count(judged.declared)} products; a product in several categories counts in each`],
    [
      'Received',
      `${count(judged.items_received)} elements on ${count(judged.pages_read)} pages; ` +
        `${count(judged.pages_failed)} pages failed`,
    ],
    ['Seen', `${count(judged.distinct_products)} distinct products; usually ${count(judged.usual_products)}`],
    [
      'Not seen',
      `${count(judged.unseen_products)} listed before; ` +
        `${count(judged.unseen_for_sale)} of those requested again are for sale`,
    ],
    ['In quarantine', `${count(judged.items_in_quarantine)} elements`],
    ['Afterwards', `${count(judged.products_listed)} listed, ${count(judged.products_available)} available`],
    [
      'Spent',
      `${count(judged.requests_spent)} requests, ` +
        `${judged.cost === null ? 'cost unknown' : money(judged.cost, judged.currency)}`,
    ],
    ['Source', `run ${judged.run_id}, ${text(judged.origin)}, ${text(judged.upstream ?? 'not recorded')}`],
    ['Time', `${instant(judged.started_at)} to ${judged.finished_at === null ? 'now' : instant(judged.finished_at)}`],
    ['Rebuilt from history', rebuilt(judged)],
    ['Fingerprint', judged.content_hash === null ? nothing : `${judged.content_hash}, equal for equal content`],
  ];
  return (
    <Card title="Evidence">
      <dl class="facts">
        {facts.map(([name, said]) => (
          <>
            <dt>{name}</dt>
            <dd>{said}</dd>
          </>
        ))}
      </dl>
    </Card>
  );
}

function count(value: string | number | null): string {
  return value === null ? nothing : number(value);
}

function rebuilt({ verified_at, is_verified }: Judged): string {
  if (verified_at === null) return 'not yet';
  return `${instant(verified_at)}: ${is_verified ? 'matches its certificate' : 'DOES NOT MATCH its certificate'}`;
}
