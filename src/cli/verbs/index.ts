import { questions } from '../../questions/index.ts';
import type { Verb, VerbEntry } from '../define-verb.ts';

const verb = (name: string, summary: string, load: () => Promise<Verb>): VerbEntry => ({ name, summary, load });

/**
 * All commands in the order of `pricebook --help`. The file of a command is loaded only if the command is named, so
 * that help and usage errors are fast.
 */
export const verbs: readonly VerbEntry[] = [
  verb(
    'start',
    'do everything in one process: crawl both regions now and every night, and serve the explorer',
    async () => (await import('./start.ts')).start,
  ),
  verb('crawl', "crawl tonight's run of each region, or continue it", async () => (await import('./crawl.ts')).crawl),
  verb(
    'work',
    'work on open runs until stopped; start as many as you like',
    async () => (await import('./work.ts')).work,
  ),
  verb(
    'schedule',
    'open every night on time for the workers, until stopped',
    async () => (await import('./schedule.ts')).schedule,
  ),
  verb('serve', 'serve the explorer only, until stopped', async () => (await import('./serve.ts')).serve),
  verb(
    'status',
    'show what is being crawled, the last nights, and what is left of the limits',
    async () => (await import('./status.ts')).status,
  ),
  verb('runs', 'list the last runs, newest first', async () => (await import('./runs.ts')).runs),
  verb(
    'plan',
    "estimate requests, time and cost of tonight's crawl, without a request",
    async () => (await import('./plan.ts')).plan,
  ),
  verb(
    'listings',
    'show address, health and cost of every listing, or move a listing to its new host',
    async () => (await import('./listings.ts')).listings,
  ),
  verb(
    'certify',
    'show certificates with their reasons, verify nights against history, or release a night',
    async () => (await import('./certify.ts')).certify,
  ),
  // `stores` has its own entry below, because stores can also be refreshed.
  ...questions
    .filter(({ name }) => name !== 'stores')
    .map(({ name, about, load }) =>
      verb(name, `show ${about}`, async () => (await import('../question-verb.ts')).questionVerb(name, await load())),
    ),
  verb(
    'index-options',
    'show how other methods, splices and treatments of prices would change a price index',
    async () => (await import('./index-options.ts')).indexOptions,
  ),
  verb(
    'product',
    'show a product with its state, history and source',
    async () => (await import('./product.ts')).product,
  ),
  verb('rates', 'load exchange rates or VAT rates from a CSV file', async () => (await import('./rates.ts')).rates),
  verb(
    'stores',
    'show stores, optionally near a place, or refresh them from the store locator',
    async () => (await import('./stores.ts')).stores,
  ),
  verb(
    'search',
    'search the shop for a keyword with one request, and show the first page',
    async () => (await import('./search.ts')).search,
  ),
  verb(
    'export',
    'write nights as Parquet or CSV files with a manifest, for DuckDB, Spark, Trino, ClickHouse, pandas',
    async () => (await import('./export.ts')).exportNights,
  ),
  verb(
    'drift',
    'show how the payloads of a night differ from the nights before',
    async () => (await import('./drift.ts')).drift,
  ),
  verb(
    'replay',
    'parse archived nights again, without a request, and show the differences',
    async () => (await import('./replay.ts')).replay,
  ),
  verb(
    'prune',
    'delete payloads, pages and details of old runs (ARCHIVE_DAYS)',
    async () => (await import('./prune.ts')).prune,
  ),
  verb(
    'migrate',
    'update functions and views of the database, and derive again what has changed',
    async () => (await import('./migrate.ts')).migrate,
  ),
  verb(
    'simulate',
    'simulate the upstream: nine endpoints, both regions, a catalogue that changes every day',
    async () => (await import('./simulate.ts')).simulate,
  ),
  verb(
    'config',
    'show every variable with its value and origin; secrets stay hidden',
    async () => (await import('./config.ts')).config,
  ),
  verb(
    'doctor',
    'check whether everything is in order, without crawling',
    async () => (await import('./doctor.ts')).doctor,
  ),
  verb(
    'reset',
    'delete everything that was crawled: database, queues, archive',
    async () => (await import('./reset.ts')).reset,
  ),
];
