import { type RegionCode, regions } from '../../base/model/index.ts';
import { fields } from '../../questions/question.ts';
import { sql } from '../../questions/sql.ts';
import { liveScript } from '../assets.ts';
import { filled, TableCard } from '../data-table.tsx';
import { definePage, type Query } from '../page.ts';
import { Card } from '../parts.tsx';
import { boardPath, type QueueDepth } from '../queue-board.ts';
import { number, plural, unsnaked } from '../words.ts';

/** What each job does. */
const about: Readonly<Record<string, string>> = {
  'crawl-taxonomy': 'Reads the categories and plans the night',
  'crawl-uk': 'Reads the pages of the United Kingdom',
  'crawl-ie': 'Reads the pages of Ireland',
  'finish-crawl': 'Repairs, judges and publishes the night',
  'follow-nights': 'Computes figures, indices and watches of the night',
  'crawl-stores': 'Reads the store locator, once a week',
  'search-products': 'Searches for the keywords, once a night',
  'watch-runs': 'Opens due nights and finds forgotten work, every half minute',
  'send-alerts': 'Sends alerts and the messages of watches',
  'probe-listings': 'Asks each listing whether it answers, every six hours',
  'prune-archive': 'Deletes old answers, daily',
  'verify-nights': 'Rebuilds past nights and compares them, daily',
};

export const jobs = definePage({
  path: '/jobs',
  nav: 'Jobs',
  isOperations: true,
  hasOwnHeading: true,
  about: 'What the program does now and what waits, and the last crawls.',
  usesStatus: true,
  usesJobs: true,
  script: liveScript,
  parameters: {},
  queries: () => ({
    runs: {
      caption: 'The last crawls',
      sql: sql`
        select region, snapshot_date, status, started_at, finished_at, requests_spent
        from marts.certificate
        order by started_at desc
        limit 10`,
      columns: [
        ...fields('region', 'snapshot_date'),
        { name: 'status', heading: 'State' },
        { name: 'started_at', heading: 'Began', as: 'instant' },
        { name: 'finished_at', heading: 'Ended', as: 'instant' },
        { name: 'requests_spent', heading: 'Requests', as: 'number' },
      ],
      none: 'Nothing has been crawled yet.',
    } as Query<{ readonly region: RegionCode; readonly status: string }>,
  }),
  title: () => 'Jobs',
  view: ({ tables: { runs }, at: { jobs: queues, status } }) => (
    <>
      <div class="head" id="live-now">
        <h1>{queues === null ? 'The queues cannot be reached at the moment' : nowWords(queues)}</h1>
        <p class="lead">{plural(status!.workersAlive, 'process', 'processes')} can take jobs.</p>
      </div>
      {queues !== null && (
        <Card title="Jobs" aside={<a href={boardPath}>Every single job, for experts</a>}>
          <table id="live-jobs">
            <thead>
              <tr>
                <th scope="col">Job</th>
                <th scope="col" class="number">
                  Running
                </th>
                <th scope="col" class="number">
                  Waiting
                </th>
              </tr>
            </thead>
            <tbody>
              {queues.map(({ name, active, waiting }) => (
                <tr key={name}>
                  <td>{about[name] ?? unsnaked(name)}</td>
                  <td class="number">{number(active)}</td>
                  <td class="number">{number(waiting)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Card>
      )}
      <TableCard
        of={filled(runs)}
        cells={{ region: (row) => regions[row.region].name, status: (row) => unsnaked(row.status) }}
      />
    </>
  ),
});

function nowWords(queues: readonly QueueDepth[]): string {
  const sum = (state: 'active' | 'waiting') => queues.reduce((all, queue) => all + queue[state], 0);
  if (sum('active') + sum('waiting') === 0) return 'Nothing is running or waiting';
  return `${plural(sum('active'), 'job')} running, ${number(sum('waiting'))} waiting`;
}
