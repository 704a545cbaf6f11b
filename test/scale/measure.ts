/** One night that some worker processes crawled. */
export interface Measured {
  readonly queue: string;
  readonly workers: number;
  /** Workers that were killed and replaced at once. */
  readonly killed: number;
  /** Requests a second that were allowed; null: as many as they could. */
  readonly allowed: number | null;
  readonly pages: number;
  readonly requests: number;
  /** In the middle four fifths of the requests, where all workers are at work. */
  readonly perSecond: number;
  readonly jobs: number;
  /** From the first request to the last. */
  readonly seconds: number;
  /** Of the data's database and of the queue's. */
  readonly statements: { readonly data: number; readonly queue: number };
  readonly processorSeconds: { readonly workers: number; readonly postgres: number; readonly redis: number };
  /** Deviations, as sentences. */
  readonly broken: readonly string[];
}

/** Requests a second in the middle four fifths of the arrivals: before and after, workers wait for each other. */
export function middleRate(timesMs: readonly number[]): number {
  const from = Math.floor(timesMs.length * 0.1);
  const to = Math.ceil(timesMs.length * 0.9) - 1;
  const span = (timesMs[to] ?? 0) - (timesMs[from] ?? 0);
  return span > 0 ? ((to - from) / span) * 1_000 : 0;
}

/** Table of all measured nights: first those at full rate, then the limited and killed ones. */
export function report(measured: readonly Measured[]): string {
  const free = measured.filter(({ allowed }) => allowed === null);
  const held = measured.filter(({ allowed }) => allowed !== null);
  const broken = measured.flatMap((one) => one.broken.map((line) => `${one.queue}, ${one.workers} workers: ${line}`));
  return [
    'As fast as it goes:',
    table(
      freeHead,
      free.map((one) => freeRow(one, free)),
    ),
    '',
    'At a rate that is allowed, a third of the workers killed on the way:',
    table(heldHead, held.map(heldRow)),
    '',
    broken.length === 0 ? 'broken: nothing' : `broken: ${broken.length}\n${broken.join('\n')}`,
    '',
  ].join('\n');
}

const freeHead = [
  'queue',
  'workers',
  'requests a second',
  'share of linear',
  'jobs a second',
  'statements a page (data + queue)',
  'processor ms a page: workers + PostgreSQL + Redis',
  'processors busy',
];

function freeRow(one: Measured, all: readonly Measured[]): string[] {
  const { queue, workers, perSecond, jobs, seconds, pages, statements, processorSeconds } = one;
  const alone = all.filter((other) => other.queue === queue).sort((a, b) => a.workers - b.workers)[0]!;
  const linear = (alone.perSecond / alone.workers) * workers;
  const busy = processorSeconds.workers + processorSeconds.postgres + processorSeconds.redis;
  return [
    queue,
    `${workers}`,
    perSecond.toFixed(1),
    (perSecond / linear).toFixed(2),
    (jobs / seconds).toFixed(1),
    `${(statements.data / pages).toFixed(1)} + ${(statements.queue / pages).toFixed(1)}`,
    [processorSeconds.workers, processorSeconds.postgres, processorSeconds.redis]
      .map((used) => ((used * 1_000) / pages).toFixed(1))
      .join(' + '),
    (busy / seconds).toFixed(2),
  ];
}

const heldHead = ['queue', 'workers', 'killed', 'allowed a second', 'achieved / allowed', 'requests', 'exact'];

function heldRow({ queue, workers, killed, allowed, perSecond, requests, broken }: Measured): string[] {
  return [
    queue,
    `${workers}`,
    `${killed}`,
    `${allowed}`,
    (perSecond / allowed!).toFixed(3),
    `${requests}`,
    broken.length === 0 ? 'yes' : 'NO',
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]!.length)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
