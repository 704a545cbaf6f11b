import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { RegionCode } from '../base/model/index.ts';
import { isMailAddress } from '../followers/messages/mail.ts';
import type { WatchLists } from '../followers/watches/watch-lists.ts';
import { amount } from '../questions/parameters.ts';
import type { Reader } from '../questions/reader.ts';
import { sql } from '../questions/sql.ts';
import { mostFormBytes } from './log-in.tsx';
import type { RefusedForm } from './page.ts';
import type { ShowRefused } from './page-routes.ts';
import { watch } from './pages/watch.tsx';
import { formRules } from './pages/watch-words.tsx';
import { productHref } from './parts.tsx';

interface Needs {
  readonly reader: Pick<Reader, 'ask'>;
  readonly watchLists: WatchLists;
  readonly showRefused: ShowRefused;
  /** User named by a trusted proxy; null: none. */
  userOf(request: FastifyRequest): string | null;
}

/** “Weekly shop” is the list weekly-shop, which addresses can hold. */
const Name = z
  .string()
  .transform((name) =>
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, ''),
  )
  .pipe(z.string().min(1, 'Give the list a name with letters or digits.').max(40, 'A name has at most 40 letters.'));

const none = (given: unknown) => (given === '' ? undefined : given);

const oneTo99 = 'Write a number from 1 to 99.';

/** Forms of the page, by the button that sends them; without one, a rule is added. */
const forms = {
  remove: z.object({ remove: z.uuid() }),
  rename: z.object({ rename: Name, name: Name }),
  drop: z.object({ drop: Name }),
  mailbox: z.object({
    mailbox: Name,
    address: z
      .string()
      .trim()
      .max(254)
      .refine((address) => address === '' || isMailAddress(address), 'Write one address, such as anna@example.com.'),
  }),
  add: z
    .object({
      list: Name,
      region: RegionCode,
      product: z.string().min(1).max(64),
      rule: z.enum(formRules),
      amount: z.preprocess(none, amount('Write an amount such as 1.50.')),
      percent: z.preprocess(none, z.coerce.number(oneTo99).min(1, oneTo99).max(99, oneTo99).optional()),
      change: z.preprocess(none, z.uuid().optional()),
    })
    .refine(({ rule, percent }) => rule !== 'falls' || percent !== undefined, { path: ['percent'], message: oneTo99 })
    .refine(({ rule, amount: most }) => rule !== 'below' || most !== undefined, {
      path: ['amount'],
      message: 'Say at which price, such as 1.50.',
    }),
} as const;

const eventsInFeed = 200;

/** Why a form is refused. */
class Refusal extends Error {
  readonly status: number;
  readonly form: RefusedForm;

  constructor(status: number, form: RefusedForm) {
    super(form.line);
    this.status = status;
    this.form = form;
  }
}

/** Changes lists and their rules, and serves each list as an Atom feed. */
export function serveWatches(server: FastifyInstance, needs: Needs): void {
  const { reader, watchLists, showRefused, userOf } = needs;

  server.route({
    method: 'POST',
    url: '/watch',
    bodyLimit: mostFormBytes,
    preHandler: server.csrfProtection,
    errorHandler: async (error: Error & { statusCode?: number }, { body }, reply) => {
      const refusal = refusalOf(error);
      if (refusal === null) throw error;
      return showRefused(watch, keptFrom(body), { reply: reply.code(refusal.status), refused: refusal.form });
    },
    handler: async (request, reply) => {
      const body = (request.body ?? {}) as Record<string, unknown>;
      return reply.redirect(await change(body, userOf(request)), 303);
    },
  });

  /** Does what a form asks for. Returns the address to go to. */
  async function change(body: Record<string, unknown>, user: string | null): Promise<string> {
    if ('remove' in body) {
      await watchLists.remove(forms.remove.parse(body).remove);
      return '/watch';
    }
    if ('rename' in body) {
      const { rename, name } = forms.rename.parse(body);
      if (rename !== name && !(await watchLists.rename(rename, name)))
        throw new Refusal(400, { field: 'name', line: 'There is, or was, a list of that name.' });
      return `/watch?list=${name}`;
    }
    if ('drop' in body) {
      await watchLists.removeList(forms.drop.parse(body).drop);
      return '/watch';
    }
    if ('mailbox' in body) {
      const { mailbox, address } = forms.mailbox.parse(body);
      const { destination } = await watchLists.readDelivery();
      if (destination?.kind !== 'mail') throw new Refusal(400, { field: null, line: 'No mail server is configured.' });
      await watchLists.setMailbox(mailbox, address || null);
      return `/watch?list=${mailbox}`;
    }
    const { list, region, product, rule, amount: most, percent, change: former } = forms.add.parse(body);
    const kept = {
      rule: rule === 'falls' ? 'below' : rule,
      amount: rule === 'falls' ? await fallen(region, product, percent!) : rule === 'below' ? (most ?? null) : null,
    } as const;
    const added = await watchLists.add({ ...kept, list, region, productId: product, createdBy: user });
    if (added === null)
      throw new Refusal(404, { field: null, line: `There is no product ${product} in region ${region}.` });
    if (former !== undefined && former !== added) await watchLists.remove(former);
    return `/watch?region=${region}&added=${added}`;
  }

  /** What a product costs when it is so many percent cheaper than now. */
  async function fallen(region: RegionCode, product: string, percent: number): Promise<number> {
    const { rows } = await reader.ask(sql`
      select round(least(price, loyalty_price) * (1 - ${percent}::numeric / 100), 2)::float8 as amount
      from marts.product_now
      where region = ${region} and product_id = ${product}`);
    const amount = rows[0]?.['amount'] as number | null | undefined;
    if (amount == null || amount < 0.01)
      throw new Refusal(400, { field: 'percent', line: 'There is no price now that could fall by that.' });
    return amount;
  }

  server.get('/watch/:file', async (request, reply) => {
    const { file } = request.params as { readonly file: string };
    const [, list = ''] = /^([a-z0-9-]+)\.atom$/.exec(file) ?? [];
    const { rows } = await reader.ask(sql`
      select watch_id, region, snapshot_date::text as night, product_id, title, event, created_at
      from marts.watch_event
      where list = ${list}
      order by snapshot_date desc, title, watch_id
      limit ${eventsInFeed}`);
    const events = rows as unknown as Event[];
    const begun = events.at(-1)?.created_at ?? (await beginOf(list));
    if (begun !== null) return reply.type('application/atom+xml; charset=utf-8').send(feedOf(list, events, begun));
    const refused = { field: null, line: 'There is no such list.' };
    return showRefused(watch, keptFrom({}), { reply: reply.code(404), refused });
  });

  /** When the first rule of a list was added; null: there is no such list. */
  const beginOf = async (list: string): Promise<Date | null> => {
    const { rows } = await reader.ask(sql`select min(created_at) as begun from marts.watch where list = ${list}`);
    return rows[0]!['begun'] as Date | null;
  };
}

function refusalOf(error: Error & { statusCode?: number }): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error.statusCode === 403) return new Refusal(403, { field: null, line: 'This form has expired. Send it again.' });
  if (!(error instanceof z.ZodError)) return null;
  const { path, message } = error.issues[0]!;
  return new Refusal(400, { field: String(path[0]), line: message });
}

/** Parameters of the page that show a refused form as it was filled in. */
function keptFrom(body: unknown): Record<string, unknown> {
  const { shape } = watch.parameters;
  const { list, ...rest } = (body ?? {}) as Record<string, unknown>;
  const given = Object.entries({ ...rest, list: Name.safeParse(list).data ?? '' }).filter(
    ([name, value]) => value !== '' && Object.hasOwn(shape, name) && shape[name]!.safeParse(value).success,
  );
  return watch.parameters.parse(Object.fromEntries(given));
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
