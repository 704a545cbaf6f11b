import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import { z } from 'zod';
import { type RegionCode, regionCodes } from '../../base/model/index.ts';
import { Since } from '../../questions/parameters.ts';
import { sql } from '../../questions/sql.ts';
import { isOfApi, unknownApiAddress } from '../api/api.ts';
import { readBookState } from '../api/book-state.ts';
import { failureOf, Malformed } from '../api/failure.ts';
import { assets } from '../assets.ts';
import { serveDocs } from '../docs/routes.tsx';
import { joined, PageNumber, readParameters, searchIn, searchOf } from './addresses.ts';
import { allQuestions, exampleIn, leadOf, titleOf } from './all-questions.tsx';
import { filters, inTurn } from './blocks.tsx';
import { said, trouble, unknownAddress } from './error-views.tsx';
import { fieldOf } from './form.tsx';
import { type Freshness, type FreshnessNeeds, readFreshness } from './freshness.ts';
import { type LayoutProps, type NavLink, renderPage } from './layout.tsx';
import { namesOf, type Page, type RequestState } from './page.ts';
import { sharedRead } from './shared-read.ts';
import { type Session, shownOf } from './shown.ts';
import { Ways } from './ways.tsx';
import { articled, capital, plainly, regionName } from './words.ts';

interface PageNeeds extends FreshnessNeeds, Omit<RequestState, 'now'> {
  readonly pages: readonly Page[];
  readonly ownCommand: string;
  onTrouble(error: unknown): void;
}

/** Another program may make another page of the same book. */
const started = randomUUID();

/** An option only changes how a page looks; a form with several ticks repeats it. */
const option = z.string().max(2_000).optional().meta({ repeats: true });

/** Pages kept until the book changes. */
const maxKept = 300;

type View = Omit<LayoutProps, 'nav' | 'freshness' | 'ownCommand' | 'path'>;

/** Serves every page, static files and error pages. */
export function servePages(server: FastifyInstance, needs: PageNeeds): void {
  const { reader, clock, onTrouble, pages, ownCommand } = needs;
  const ofPages = pages.flatMap(({ path, nav: name, isOperations = false, question }): NavLink[] =>
    name === undefined ? [] : [{ path, name, isOperations, hasRegion: 'region' in question.parameters.shape }],
  );
  const nav = [...ofPages, { path: '/docs', name: 'Docs' }];
  const pathOf = (name: string) =>
    pages.find((page) => page.path !== '/' && namesOf(page).includes(name))?.path ?? `/${name}`;
  /** HTML by tag; the oldest makes room. */
  const kept = new Map<string, string>();

  for (const { path, type, content } of assets) {
    server.get(path, (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=31536000, immutable').send(content),
    );
  }

  /** What changes pages: nights, what is derived of them, and exchange rates, which are loaded at any time. */
  const readState = sharedRead(async () => {
    const rates = reader.ask(sql`select max(loaded_at) as at from marts.fx_rate`);
    const [freshness, book, { rows }] = await Promise.all([readFreshness(needs), readBookState(reader.ask), rates]);
    return { freshness, version: book.version, rates: rows[0]?.['at'] };
  });

  for (const page of pages) {
    server.get(page.path, async (request, reply) => {
      try {
        return await answer(page, request, reply).catch((error) => refuse(page, error, request, reply));
      } catch (error) {
        onTrouble(error);
        const failure = failureOf(error);
        return await send(reply.code(failure.status), page.path, trouble(failure, request.url));
      }
    });
  }

  // The name of every question is an address.
  for (const name of pages.flatMap(namesOf))
    if (!server.hasRoute({ method: 'GET', url: `/${name}` }))
      server.get(`/${name}`, async ({ url }, reply) => reply.redirect(pathOf(name) + searchOf(joined(searchIn(url)))));

  server.get('/questions', async (_request, reply) =>
    send(reply, '/questions', await allQuestions(reader.ask, pathOf)),
  );
  serveDocs(server, (reply, { path, ...shown }) => send(reply, path, shown));
  server.setNotFoundHandler(async (request, reply) => {
    if (isOfApi(request.url)) return reply.code(404).send(unknownApiAddress);
    return send(reply.code(404), '', unknownAddress(request.url));
  });

  async function answer(page: Page, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const options = Object.fromEntries((page.options ?? []).map((name) => [name, name === 'since' ? Since : option]));
    const shape = page.question.parameters.extend({ page: PageNumber, ...options });
    const search = searchIn(request.url);
    const parameters = readParameters(shape, search);
    const { freshness, ...book } = await readState();
    const tag = tagOf([request.url, freshness, book]);
    if (!page.isLive) {
      reply.header('etag', tag).header('cache-control', 'private, no-cache');
      if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    }
    const html = kept.get(tag) ?? render(page.path, await viewOf(page, search, parameters), freshness, page);
    if (!page.isLive) kept.set(tag, html);
    const [oldest = tag] = kept.keys();
    if (kept.size > maxKept) kept.delete(oldest);
    return reply.type('text/html; charset=utf-8').send(html);
  }

  /** The form of the page, and why it has no answer. Without parameters, nothing is wrong with the address. */
  async function refuse({ path, ...page }: Page, error: unknown, { url }: FastifyRequest, reply: FastifyReply) {
    reply.removeHeader('etag').removeHeader('cache-control');
    const { status, line } = failureOf(error);
    if (status >= 500) throw error;
    const given = joined(searchIn(url));
    const wrong = error instanceof Malformed ? error.parameter : '';
    const { [wrong]: left, ...all } = given;
    // A form asks for its choices with what else is given, and PostgreSQL takes no NUL.
    const others = Object.fromEntries(Object.entries(all).filter(([, value]) => !value.includes('\0')));
    const { label, options } = fieldOf(page.question, wrong);
    const isPlain = Object.keys(given).length === 0;
    const isOpened = wrong !== '' && !given[wrong];
    const named = (codes: string) => Object.values(options).join(', ') || codes.replace(/\b(uk|ie)\b/g, regionName);
    const fault = line.replace(/(?<= one of )(?=\w+)[^.]*/, named);
    const words = isOpened
      ? `Fill in “${label}”, then choose Show. Or see the example:`
      : plainly(fault).replace(`“${wrong}”`, `“${label}”`);
    let links = left === undefined ? {} : { [`This page without “${label}”`]: path + searchOf(others) };
    for (const [, name = ''] of (line.split('one of these: ')[1] ?? '').matchAll(/"([^"]+)"/g))
      links = { ...links, [name]: path + searchOf({ ...others, category: name }) };
    if (isOpened) links = await exampleIn(reader.ask, page.question, path);
    if (status === 404) links = { ...links, ...(await othersOf(path, given)) };
    const view = await formOf({ ...page, path }, others, said(words, links, isOpened ? 'note' : 'error'));
    return send(isPlain ? reply : reply.code(status), path, view);
  }

  /** Pages of a product that is not known by this id or in this region, by name. */
  async function othersOf(path: string, { product = '', ...given }: Readonly<Record<string, string>>) {
    const { rows } = await reader.ask(sql`select distinct region from marts.dim_product where product_id = ${product}`);
    const pages = rows.map(({ region }) => [
      `This product in ${articled(regionName(String(region)))}`,
      path + searchOf({ ...given, product, region: String(region) }),
    ]);
    const words = [`Find “${product}”`, `/find${searchOf({ region: given['region'], words: product })}`];
    return Object.fromEntries(/\p{L}/u.test(product) ? [...pages, words] : pages) as Record<string, string>;
  }

  /** Title, lead and blocks of a page, asked in one snapshot. */
  const viewOf = (page: Page, search: URLSearchParams, read: Record<string, unknown>): Promise<View> =>
    reader.inOneSnapshot(async (ask) => {
      const { page: place, ...all } = read;
      const isOption = (name: string) => page.options?.includes(name) === true;
      const given = Object.fromEntries(Object.entries(all).filter(([name]) => !isOption(name)));
      const asWritten = Object.entries(joined(search)).filter(([name]) => name !== 'page');
      const written = Object.fromEntries(asWritten.filter(([name]) => !isOption(name)));
      const options = Object.fromEntries(asWritten.filter(([name]) => isOption(name)));
      const session: Session = { ask, pathOf, asked: new Map(), at: { ...needs, now: clock.now() } };
      const shown = await shownOf(session, page.question, given, {
        ...{ path: page.path, written, options, page: Number(place) },
      });
      const title = await page.title(shown);
      const lead = (await page.lead?.(shown)) ?? (page.nav ? '' : (page.about ?? leadOf(page.question)));
      const children = await inTurn(shown, page.blocks);
      const region = regionCodes.find((code) => code === [shown.parameters['region']].flat()[0]);
      const other = region === 'ie' ? 'uk' : 'ie';
      const elsewhere = (await page.elsewhere?.(shown, other)) ?? shown.hrefWith({ region: other });
      return {
        title,
        lead,
        hasOwnHeading: page.hasOwnHeading === true,
        words: written['words'],
        kept: keptBySearch(page, { ...written, ...options }),
        region,
        regionHref: (code: RegionCode) => (code === region ? shown.hrefWith({}) : elsewhere),
        children: (
          <>
            {children}
            <Ways of={page.answers?.(shown) ?? { question: page.question, given: written }} asked={session.asked} />
          </>
        ),
      };
    });

  /** The form of a page that needs a parameter. */
  const formOf = (page: Page, written: Record<string, string>, said: ComponentChildren): Promise<View> =>
    reader.inOneSnapshot(async (ask) => {
      const { question, path } = page;
      const asked = async ({ sql: statement }: { sql: Parameters<typeof ask>[0] }) => (await ask(statement)).rows;
      const shown = { question, written, options: {}, ask: asked, hrefWith: () => path };
      const form = await filters()(shown as never);
      return {
        title: path === '/' ? 'Home' : titleOf(question),
        lead: `${capital(question.about)}.`,
        children: [form, said],
      };
    });

  function render(path: string, view: View, freshness: readonly Freshness[] | null, page?: Page): string {
    return renderPage({
      ...view,
      ...{ path, nav, freshness, ownCommand },
      about: view.about ?? (page ? (page.about ?? `${capital(page.question.about)}.`) : ''),
      isOperations: page?.isOperations ?? false,
    });
  }

  async function send(reply: FastifyReply, path: string, view: View) {
    const freshness = await readFreshness(needs).catch(() => null);
    const page = pages.find((one) => one.path === path);
    return reply.type('text/html; charset=utf-8').send(render(path, view, freshness, page));
  }
}

/** What the search of the head keeps: region and compared items, and on the page of products all its filters. */
const keptBySearch = ({ path }: Page, written: Readonly<Record<string, string>>) =>
  path === '/find' ? { ...written, words: undefined } : { region: written['region'], items: written['items'] };

const tagOf = (state: readonly unknown[]): string =>
  `W/"${createHash('sha256')
    .update(JSON.stringify([started, ...state]))
    .digest('base64url')
    .slice(0, 22)}"`;
