import { questions } from '../../questions/index.ts';
import type { VerbEntry } from '../define-verb.ts';

/**
 * All commands in the order of `pricebook --help`. The file of a command is loaded only if the command is named, so
 * that help and usage errors are fast.
 */
export const verbs: readonly VerbEntry[] = [
  {
    name: 'start',
    summary: 'do everything in one process: crawl both regions now and every night, and serve the explorer',
    load: async () => (await import('./start.ts')).start,
  },
  {
    name: 'crawl',
    summary: "crawl tonight's run of each region, or continue it",
    load: async () => (await import('./crawl.ts')).crawl,
  },
  {
    name: 'work',
    summary: 'work on open runs until stopped; start as many as you like',
    load: async () => (await import('./work.ts')).work,
  },
  {
    name: 'schedule',
    summary: 'open every night on time for the workers, until stopped',
    load: async () => (await import('./schedule.ts')).schedule,
  },
  {
    name: 'serve',
    summary: 'serve the explorer only, until stopped',
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
    summary: "estimate requests, time and cost of tonight's crawl, without a request",
    load: async () => (await import('./plan.ts')).plan,
  },
  {
    name: 'listings',
    summary: 'show address, health and cost of every listing, or move a listing to its new host',
    load: async () => (await import('./listings.ts')).listings,
  },
  {
    name: 'certify',
    summary: 'show certificates with their reasons, verify nights against history, or release a night',
    load: async () => (await import('./certify.ts')).certify,
  },
  // `stores` has its own entry below, because stores can also be refreshed.
  ...questions
    .filter(({ name }) => name !== 'stores')
    .map(({ name, about, load }) => ({
      name,
      summary: `show ${about}`,
      load: async () => (await import('../question-verb.ts')).questionVerb(name, await load()),
    })),
  {
    name: 'product',
    summary: 'show a product with its state, history and source',
    load: async () => (await import('./product.ts')).product,
  },
  {
    name: 'rates',
    summary: 'load exchange rates or VAT rates from a CSV file',
    load: async () => (await import('./rates.ts')).rates,
  },
  {
    name: 'stores',
    summary: 'show stores, optionally near a place, or refresh them from the store locator',
    load: async () => (await import('./stores.ts')).stores,
  },
  {
    name: 'search',
    summary: 'search the shop for a keyword with one request, and show the first page',
    load: async () => (await import('./search.ts')).search,
  },
  {
    name: 'export',
    summary: 'write nights as Parquet or CSV files with a manifest, for DuckDB, Spark, Trino, ClickHouse, pandas',
    load: async () => (await import('./export.ts')).exportNights,
  },
  {
    name: 'drift',
    summary: 'show how the payloads of a night differ from the nights before',
    load: async () => (await import('./drift.ts')).drift,
  },
  {
    name: 'replay',
    summary: 'parse archived nights again, without a request, and show the differences',
    load: async () => (await import('./replay.ts')).replay,
  },
  {
    name: 'prune',
    summary: 'delete payloads, pages and details of old runs (ARCHIVE_DAYS)',
    load: async () => (await import('./prune.ts')).prune,
  },
  {
    name: 'migrate',
    summary: 'update functions and views of the database, and derive again what has changed',
    load: async () => (await import('./migrate.ts')).migrate,
  },
  {
    name: 'simulate',
    summary: 'simulate the upstream: nine endpoints, both regions, a catalogue that changes every day',
    load: async () => (await import('./simulate.ts')).simulate,
  },
  {
    name: 'config',
    summary: 'show every variable with its value and origin; secrets stay hidden',
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
