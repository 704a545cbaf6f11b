import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { RegionCode } from '../base/model/index.ts';
import { watchRules } from '../base/model/watch-rule.ts';
import type { WatchLists } from '../followers/watches/watch-lists.ts';
import { amount } from '../questions/parameters.ts';
import type { Reader } from '../questions/reader.ts';
import { sql } from '../questions/sql.ts';
import { renderPage } from './layout.tsx';
import { mostFormBytes } from './log-in.tsx';
import { productHref } from './parts.tsx';

interface Needs {
  readonly reader: Pick<Reader, 'ask'>;
  readonly watchLists: WatchLists;
  /** User named by a trusted proxy; null: none. */
  userOf(request: FastifyRequest): string | null;
}

const Name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'The name of a list has small letters, digits and hyphens.');

const Added = z
  .object({
    list: Name,
    region: RegionCode,
    product: z.string().min(1).max(64),
    rule: z.enum(watchRules),
    amount: z.preprocess((given) => (given === '' ? undefined : given), amount()),
  })
  .refine(({ rule, amount: most }) => rule !== 'below' || most !== undefined, 'Say which amount it may cost at most.');

const Removed = z.object({ remove: z.uuid() });

const eventsInFeed = 200;

/** Adds and removes rules, and serves each list as an Atom feed. */
export function serveWatches(server: FastifyInstance, { reader, watchLists, userOf }: Needs): void {
  server.route({
    method: 'POST',
    url: '/watch',
    bodyLimit: mostFormBytes,
    preHandler: server.csrfProtection,
    errorHandler: (error: Error & { statusCode?: number }, _request, reply) => {
      if (error.statusCode === 403) return refuse(reply, 403, 'This form has expired. Go back, reload and try again.');
      throw error;
    },
    handler: async (request, reply) => {
      const removed = Removed.safeParse(request.body);
      if (removed.success) {
        await watchLists.remove(removed.data.remove);
        return reply.redirect('/watch', 303);
      }
      const added = Added.safeParse(request.body);
      if (!added.success) return refuse(reply, 400, added.error.issues[0]!.message);
      const { product, amount: most, ...rest } = added.data;
      const isKnown = await watchLists.add({
        ...rest,
        productId: product,
        amount: rest.rule === 'below' ? (most ?? null) : null,
        createdBy: userOf(request),
      });
      if (!isKnown) return refuse(reply, 404, `There is no product ${product} in region ${rest.region}.`);
      return reply.redirect('/watch', 303);
    },
  });

  server.get('/watch/:file', async (request, reply) => {
    const { file } = request.params as { readonly file: string };
    const list = Name.safeParse(file.replace(/\.atom$/, ''));
    const { rows } = await reader.ask(sql`
      select watch_id, region, snapshot_date::text as night, product_id, title, event, created_at
      from marts.watch_event
      where list = ${list.data ?? ''}
      order by snapshot_date desc, title, watch_id
      limit ${eventsInFeed}`);
    const events = rows as unknown as Event[];
    const begun = events.at(-1)?.created_at ?? (await beginOf(list.data ?? ''));
    if (!file.endsWith('.atom') || !list.success || begun === null) return refuse(reply, 404, 'There is no such list.');
    return reply.type('application/atom+xml; charset=utf-8').send(feedOf(list.data, events, begun));
  });

  /** When the first rule of a list was added; null: there is no such list. */
  const beginOf = async (list: string): Promise<Date | null> => {
    const { rows } = await reader.ask(sql`select min(created_at) as begun from marts.watch where list = ${list}`);
    return rows[0]!['begun'] as Date | null;
  };
}

function refuse(reply: FastifyReply, status: number, line: string): FastifyReply {
  const children = (
    <>
      <p class="error" role="alert">
        {line}
      </p>
      <p>
        <a href="/watch">All lists</a>
      </p>
    </>
  );
  const html = renderPage({ title: 'Watch', path: '/watch', nav: [], freshness: [], children });
  return reply.code(status).type('text/html; charset=utf-8').send(html);
}

interface Event {
  readonly watch_id: string;
  readonly region: string;
  readonly night: string;
  readonly product_id: string;
  readonly title: string;
  readonly event: string;
  readonly created_at: Date;
}

/** Atom (RFC 4287). The id of an entry is of its rule and night, so that a reader shows it once. */
function feedOf(list: string, events: readonly Event[], begun: Date): string {
  const tag = (what: string) => `tag:pricebook.invalid,2026:watch/${what}`;
  const newest = Math.max(...[begun, ...events.map(({ created_at }) => created_at)].map((at) => at.getTime()));
  const entries = events.map(
    ({ watch_id, region, night, product_id, title, event, created_at }) => `
  <entry>
    <id>${tag(`${watch_id}/${night}`)}</id>
    <title>${xml(`${title}: ${event}`)}</title>
    <updated>${created_at.toISOString()}</updated>
    <link href="${xml(productHref(region, product_id))}"/>
    <summary>${xml(`${region} ${night}: ${event}`)}</summary>
  </entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${tag(`list/${list}`)}</id>
  <title>Pricebook: ${xml(list)}</title>
  <updated>${new Date(newest).toISOString()}</updated>
  <author><name>Pricebook</name></author>
  <link rel="self" href="/watch/${xml(list)}.atom"/>${entries.join('')}
</feed>
`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text in XML, without the control characters that it must not contain. */
function xml(value: string): string {
  return value.replace(/\p{Cc}/gu, ' ').replace(/[&<>"]/g, (letter) => entities[letter]!);
}
