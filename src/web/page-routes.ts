import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { WatchLists } from '../followers/watches/watch-lists.ts';
import { RegionParameter } from '../questions/parameters.ts';
import type { Status } from '../questions/status.ts';
import { askOneTable, askTables, csvOf, mostRows, nameOf, viewOf } from './answer-page.tsx';
import { isOfApi, unknownApiAddress } from './api.ts';
import { assets } from './assets.ts';
import { readBookState } from './book-state.ts';
import { serveDocs } from './docs/routes.tsx';
import { refusal, trouble, unknownAddress } from './error-views.tsx';
import { failureOf } from './failure.ts';
import { type Freshness, type FreshnessNeeds, readFreshness } from './freshness.ts';
import { type LayoutProps, type NavLink, renderPage } from './layout.tsx';
import { logOutLinks } from './log-in.tsx';
import type { NightTime } from './next-night.ts';
import type { Page, RefusedForm } from './page.ts';
import { readParameters } from './parameters.ts';
import type { QueueDepth } from './queue-board.ts';
import { sharedRead } from './shared-read.ts';
import { number } from './words.ts';

interface PageNeeds extends FreshnessNeeds {
  readStatus(): Promise<Status>;
  /** Null: the queues cannot be reached. */
  readJobs(): Promise<readonly QueueDepth[] | null>;
  onTrouble(error: unknown): void;
  readonly pages: readonly Page[];
  readonly nightBeginsAt: NightTime;
  readonly ownCommand: string;
  readonly watchLists: Pick<WatchLists, 'readDelivery'>;
}

/** Answers the form of a page that was refused: shows the page with its parameters and the reason. */
export type ShowRefused = (
  page: Page,
  parameters: Record<string, unknown>,
  shown: { readonly reply: FastifyReply; readonly refused: RefusedForm },
) => Promise<FastifyReply>;

/** Another program may make another page of the same book. */
const started = randomUUID();

/** Serves every page as HTML, every table as CSV, static files and error pages. */
export function servePages(server: FastifyInstance, needs: PageNeeds): { readonly showRefused: ShowRefused } {
  const { reader, clock, readStatus, readJobs, onTrouble, pages, nightBeginsAt, ownCommand, watchLists } = needs;
  const nav: NavLink[] = pages.flatMap(({ path, nav: name, isOperations = false, parameters }) =>
    name === undefined ? [] : [{ path, name, isOperations, hasRegion: parameters.shape['region'] === RegionParameter }],
  );

  for (const { path, type, content } of assets) {
    server.get(path, (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=31536000, immutable').send(content),
    );
  }

  const readState = sharedRead(async () => {
    const [freshness, { version }] = await Promise.all([readFreshness(needs), readBookState(reader.ask)]);
    return { freshness, version };
  });

  for (const page of pages) {
    server.get(page.path, async (request, reply) => {
      try {
        const read = readParameters(page.parameters, searchOf(request.url));
        if ('refused' in read) return await send(reply.code(400), { ...refusal(read.refused), path: page.path });
        const state = await readState();
        const isReusable = !page.hasForm && !page.isOperations;
        if (isReusable && (await isKnown(page, request, reply, state))) return await reply.code(304).send();
        return await show(page, read.parameters, { reply, freshness: state.freshness });
      } catch (error) {
        onTrouble(error);
        reply.removeHeader('etag').removeHeader('cache-control');
        const failure = failureOf(error);
        return await send(reply.code(failure.status), { ...trouble(failure), path: page.path, freshness: null });
      }
    });

    server.get(`${nameOf(page)}.csv`, async (request, reply) => {
      const search = searchOf(request.url);
      // Parameters of the CSV address, not of the page.
      const own = { table: z.string().optional(), rows: z.literal('all', 'must be all').optional() };
      const read = readParameters(page.parameters.extend(own), search);
      if ('refused' in read) return reply.code(400).type('text/plain; charset=utf-8').send(`${read.refused.line}\n`);
      const { table: wanted = null, rows, ...parameters } = read.parameters as { table?: string; rows?: 'all' };
      const table = await askOneTable(page, parameters, { wanted, isWhole: rows === 'all', reader });
      const refuse = (line: string) => reply.code(400).type('text/plain; charset=utf-8').send(`${line}\n`);
      if (!table) return refuse(`This page has no table “${wanted}”.`);
      if (rows === 'all' && table.hasMore)
        return refuse(
          `More than ${number(mostRows)} rows match. Use filters, or read a whole table in the API, such as ` +
            '/api/v1/questions/asof.csv.',
        );
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `inline; filename="${nameOf(page).slice(1)}-${table.name}.csv"`)
        .send(csvOf(table));
    });
  }

  serveDocs(server, send);
  server.setNotFoundHandler(async (request, reply) => {
    if (isOfApi(request.url)) return reply.code(404).send(unknownApiAddress);
    return send(reply.code(404), { ...unknownAddress(), path: '' });
  });

  async function show(
    page: Page,
    parameters: Record<string, unknown>,
    shown: {
      readonly reply: FastifyReply;
      readonly freshness: readonly Freshness[];
      readonly refused?: RefusedForm;
    },
  ): Promise<FastifyReply> {
    const { reply, freshness, refused = null } = shown;
    const [tables, status, jobs, delivery] = await Promise.all([
      askTables(page, parameters, reader),
      page.usesStatus ? readStatus() : null,
      page.usesJobs ? readJobs() : null,
      page.hasForm ? watchLists.readDelivery() : null,
    ]);
    const csrf = page.hasForm ? reply.generateCsrf() : null;
    const at = { now: clock.now(), status, jobs, nightBeginsAt, csrf, delivery, refused };
    const { isAbsent, ...view } = viewOf(page, parameters, tables, at);
    return send(isAbsent ? reply.code(404) : reply, {
      ...view,
      about: page.about,
      path: page.path,
      isOperations: page.isOperations ?? false,
      tables: Object.values(tables),
      freshness,
      scripts: page.script ? [page.script.path] : [],
    });
  }

  const showRefused: ShowRefused = async (page, parameters, { reply, refused }) =>
    show(page, parameters, { reply, refused, freshness: await readFreshness(needs) });

  return { showRefused };

  /** Sets the validator of a page that only a night changes. Returns whether the browser has that page. */
  async function isKnown(page: Page, request: FastifyRequest, reply: FastifyReply, book: object) {
    const other = page.changesWith && (await reader.ask(page.changesWith)).rows;
    const state = JSON.stringify([started, request.url, book, other, logOutLinks(request)]);
    const tag = `W/"${createHash('sha256').update(state).digest('base64url').slice(0, 22)}"`;
    reply.header('etag', tag).header('cache-control', 'private, no-cache');
    return request.headers['if-none-match'] === tag;
  }

  async function send(
    reply: FastifyReply,
    shown: Omit<LayoutProps, 'nav' | 'freshness' | 'ownCommand'> & { readonly freshness?: readonly Freshness[] | null },
  ): Promise<FastifyReply> {
    const freshness = shown.freshness === undefined ? await readFreshness(needs).catch(() => null) : shown.freshness;
    const links = [...nav, ...logOutLinks(reply.request)];
    return reply.type('text/html; charset=utf-8').send(renderPage({ ...shown, nav: links, freshness, ownCommand }));
  }
}

function searchOf(url: string): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}
