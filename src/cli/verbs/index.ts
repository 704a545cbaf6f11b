import { questions } from '../../questions/index.ts';
import type { VerbEntry } from '../define-verb.ts';

/**
 * Every command, in the order of `pricebook --help`, each with its line there. A command's own file is loaded when it
 * is named: help and a mistyped command need none of what crawling needs.
 */
export const verbs: readonly VerbEntry[] = [
  {
    name: 'start',
    summary: 'do everything in one process: crawl both regions, then every night, and show it',
    load: async () => (await import('./start.ts')).start,
  },
  {
    name: 'crawl',
    summary: "crawl tonight's run of each region to its end",
    load: async () => (await import('./crawl.ts')).crawl,
  },
  {
    name: 'work',
    summary: 'take work from the queues until told to stop; start as many as you like',
    load: async () => (await import('./work.ts')).work,
  },
  {
    name: 'schedule',
    summary: 'open every night on time, for workers to crawl, until told to stop',
    load: async () => (await import('./schedule.ts')).schedule,
  },
  {
    name: 'serve',
    summary: 'serve the explorer and nothing else, until told to stop',
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'status',
    summary: 'show what is being crawled, the last nights, and what is left of the limits',
    load: async () => (await import('./status.ts')).status,
  },
  { name: 'runs', summary: 'list the last runs, newest first', load: async () => (await import('./runs.ts')).runs },
  {
    name: 'plan',
    summary: "say what tonight's crawl will cost in requests, time and money, without asking anything",
    load: async () => (await import('./plan.ts')).plan,
  },
  {
    name: 'listings',
    summary: 'show every listing: where it is asked, whether it answers, what is spent; or move one to its new host',
    load: async () => (await import('./listings.ts')).listings,
  },
  {
    name: 'certify',
    summary: 'show how far nights can be trusted, rebuild them from history, or release one that was held back',
    load: async () => (await import('./certify.ts')).certify,
  },
  // The stores can be refreshed, too.
  ...questions
    .filter(({ name }) => name !== 'stores')
    .map(({ name, about, load }) => ({
      name,
      summary: `show ${about}`,
      load: async () => (await import('../question-verb.ts')).questionVerb(name, await load()),
    })),
  {
    name: 'product',
    summary: 'show a product: its state, its history and where that comes from',
    load: async () => (await import('./product.ts')).product,
  },
  {
    name: 'rates',
    summary: 'load exchange rates, or VAT rates, from a CSV file',
    load: async () => (await import('./rates.ts')).rates,
  },
  {
    name: 'stores',
    summary: 'show the stores, those near a place first, or refresh them from the store locator',
    load: async () => (await import('./stores.ts')).stores,
  },
  {
    name: 'search',
    summary: 'search the shop for a keyword, for one request, and show its first page',
    load: async () => (await import('./search.ts')).search,
  },
  {
    name: 'export',
    summary: 'write nights as files for DuckDB, Spark, Trino, ClickHouse, pandas: Parquet or CSV, with a manifest',
    load: async () => (await import('./export.ts')).exportNights,
  },
  {
    name: 'drift',
    summary: 'show how the payloads of a night differ from those before, with the change of the mapping that fixes it',
    load: async () => (await import('./drift.ts')).drift,
  },
  {
    name: 'probe',
    summary: 'check every grocery contract against live answers, for at most 20 requests',
    load: async () => (await import('./probe.ts')).probe,
  },
  {
    name: 'replay',
    summary: 'read archived nights again, without a request, and show what would differ',
    load: async () => (await import('./replay.ts')).replay,
  },
  {
    name: 'prune',
    summary: 'delete payloads, pages and details of old runs (ARCHIVE_DAYS)',
    load: async () => (await import('./prune.ts')).prune,
  },
  {
    name: 'migrate',
    summary: "bring the database's schema to what this program knows, and derive again what its rules change",
    load: async () => (await import('./migrate.ts')).migrate,
  },
  {
    name: 'simulate',
    summary: 'play the upstream: nine endpoints, both regions, a supermarket that changes every day',
    load: async () => (await import('./simulate.ts')).simulate,
  },
  {
    name: 'config',
    summary: 'show every variable, its value and where it comes from; secrets stay hidden',
    load: async () => (await import('./config.ts')).config,
  },
  {
    name: 'doctor',
    summary: 'check whether everything is in order, without crawling',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'reset',
    summary: 'delete everything that was crawled: database, queues, archive',
    load: async () => (await import('./reset.ts')).reset,
  },
];
