import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clockFrom } from '../../src/base/clock.ts';
import { destinationOf } from '../../src/followers/messages/receiver.ts';
import { createWatchLists } from '../../src/followers/watches/watch-lists.ts';
import type { Explorer } from '../../src/web/server.ts';
import { insert } from '../support/insert.ts';
import { ask, Cookies, logIn } from '../support/visitor.ts';
import { book, openOver, useExplorer } from './explorer-book.ts';

const base = useExplorer();

const tokenIn = (page: string) => /name="_csrf" value="([^"]+)"/.exec(page)![1]!;

async function aProduct(): Promise<{ id: string; title: string }> {
  const rows = await base.ask<{ id: string; title: string }>(
    `select product_id as id, title from marts.product_now
     where region = 'uk' and availability = 'available' and price is not null order by product_key limit 1`,
  );
  return rows[0]!;
}

const ruleOf = (product: string) => ({ region: 'uk', product, rule: 'below', amount: '0.01', list: 'Weekly shop' });

/** Sends a form of the page as a browser does. */
async function send(body: Readonly<Record<string, string>>, url = base.url): Promise<Response> {
  const cookies = new Cookies();
  const { id } = await aProduct();
  const _csrf = tokenIn(await (await ask(`${url}/watch?product=${id}`, cookies)).text());
  return ask(`${url}/watch`, cookies, { method: 'POST', body: new URLSearchParams({ _csrf, ...body }) });
}

describe('the page of watches', () => {
  test('the page of a product leads to a form that adds a rule, without script, and a button removes it', async () => {
    const cookies = new Cookies();
    const { id } = await aProduct();
    const product = await (await ask(`${base.url}/product?region=uk&id=${id}`, cookies)).text();
    const href = /href="(\/watch\?[^"]*)">Tell me when…/.exec(product)![1]!.replaceAll('&amp;', '&');
    const form = await (await ask(base.url + href, cookies)).text();
    const fields = { _csrf: tokenIn(form), region: 'uk', product: id, rule: 'below', amount: '1.25', list: 'weekly' };
    const post = (body: Record<string, string>) =>
      ask(`${base.url}/watch`, cookies, { method: 'POST', body: new URLSearchParams(body) });
    expect((await post(fields)).status).toBe(303);
    const page = await (await ask(`${base.url}/watch`, cookies)).text();
    expect(page).toContain('When it costs at most £1.25');
    expect(page).not.toMatch(/\b[A-Z]+_[A-Z]+\b(?=[^<]*<\/p>)/);
    const [, suggested] = /name="amount"[^>]*value="([\d.]+)"/.exec(form)!;
    const [now] = await base.ask<{ price: string }>(
      `select least(price, loyalty_price) as price from marts.product_now where region = 'uk' and product_id = '${id}'`,
    );
    expect(Number(suggested)).toBeLessThan(Number(now!.price));
    const added = await post({ ...fields, amount: '999', list: 'Now' });
    expect(added.status).toBe(303);
    const told = await (await ask(base.url + added.headers.get('location')!, cookies)).text();
    expect(told).toMatch(/role="status">.*It is already true: now £[\d.]+\. It is news the next time/);
    const trueNow = await (await ask(`${base.url}/watch?list=now`, cookies)).text();
    expect(trueNow).toContain('<h1>The watch is true already</h1>');
    const [, other] = /name="remove" value="([^"]+)"/.exec(trueNow)!;
    expect((await post({ _csrf: tokenIn(trueNow), remove: other! })).status).toBe(303);
    expect(page).toContain('href="/watch/weekly.atom"');

    expect((await post({ ...fields, product: 'none' })).status).toBe(404);
    const [, watchId] = /name="remove" value="([^"]+)"/.exec(page)!;
    expect((await post({ _csrf: tokenIn(page), remove: watchId! })).status).toBe(303);
    expect(await base.ask('select from marts.watch')).toEqual([]);
  });

  test('a new watch is waiting, and the page says when it is looked at and of how many nights it knows', async () => {
    const { id } = await aProduct();
    const form = await (await base.get(`/watch?product=${id}`)).text();
    const product = await (await base.get(`/product?region=uk&id=${id}`)).text();
    const [, nights] = />against (\d nights)/.exec(product)!;
    expect(form).toContain(` at its lowest in ${nights}.`);
    expect(form).toContain(`>it is the cheapest in ${nights}</option>`);
    const added = await send(ruleOf(id));
    await send({ ...ruleOf(id), rule: 'lowest', list: 'Other' });
    const html = await (await base.get(added.headers.get('location')!)).text();
    expect(html).toMatch(/It is looked at next after the crawl of 11 June 2026 at 02:00/);
    expect(html).toContain(`When it is the cheapest in ${nights}`);
    const list = await (await base.get('/watch?list=weekly-shop')).text();
    expect(list).toContain('<h1>1 watch waits for the next night</h1>');
    expect(html).not.toMatch(/>Your |in a year/);
    await base.db.query('delete from ops.watch');
  });

  test('a price that falls by a percentage is kept as the amount to which it falls', async () => {
    const { id } = await aProduct();
    const falls = { ...ruleOf(id), rule: 'falls', amount: '' };
    const refused = await send({ ...falls, percent: '100' });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('<span id="percent-fault" class="bad" role="alert">Write a number from 1 to 99.</span>'),
    ]);
    expect((await send({ ...falls, percent: '25' })).status).toBe(303);
    expect(await base.ask('select rule, amount from marts.watch')).toEqual(
      await base.ask(
        `select 'below' as rule, round(0.75 * least(price, loyalty_price), 2) as amount
         from marts.product_now where region = 'uk' and product_id = '${id}'`,
      ),
    );
    await base.db.query('delete from ops.watch');
  });

  test('a form that is refused stays filled in, with the reason beside its field', async () => {
    const { id } = await aProduct();
    for (const [wrong, field, reason] of [
      [{ amount: '' }, 'amount', 'Say at which price, such as 1.50.'],
      [{ amount: 'much' }, 'amount', 'Write an amount such as 1.50.'],
      [{ list: '…' }, 'list', 'Give the list a name with letters or digits.'],
    ] as const) {
      const response = await send({ ...ruleOf(id), ...wrong });
      const html = await response.text();
      expect([wrong, response.status]).toEqual([wrong, 400]);
      expect(html).toContain(`<span id="${field}-fault" class="bad" role="alert">${reason}</span>`);
      expect(html).toMatch(new RegExp(`name="${field}"[^>]*aria-describedby="${field}-fault"`));
      expect(html).toContain('<option value="below" selected>');
      expect(html).toContain(`name="product" value="${id}"`);
      if (field === 'amount') expect(html).toContain('value="Weekly shop"');
    }
    expect(await base.ask('select from marts.watch')).toEqual([]);
  });

  test('the heading counts what came true last night, and a rule can be changed', async () => {
    const { id, title } = await aProduct();
    await send(ruleOf(id));
    await send({ ...ruleOf(id), rule: 'shrank' });
    const [rule] = await base.ask<{ watch_id: string }>(`select watch_id from marts.watch where rule = 'below'`);
    const event = {
      watch_id: rule!.watch_id,
      product_id: id,
      title,
      rule: 'below',
      event: '£0.01, at or below £0.01.',
    };
    await insert(
      base.db,
      'ops.watch_message',
      [{ list: 'weekly-shop', region: 'uk', snapshot_date: book.lastNight, created_at: '2026-06-10T04:00:00Z' }].map(
        (message) => ({ ...message, events: JSON.stringify([event]) }),
      ),
    );
    const html = await (await base.get('/watch')).text();
    expect(html).toContain('<h1>1 of 2 watches came true last night</h1>');
    expect(html).toContain('£0.01, at or below £0.01.');
    const [href] = /\/watch\?[^"]*change=[^"]*/.exec(html)!;
    expect(await (await base.get(href.replaceAll('&amp;', '&'))).text()).toContain('>Save</button>');
    await send({ ...ruleOf(id), amount: '0.02', change: rule!.watch_id });
    expect(await base.ask(`select amount from marts.watch where rule = 'below'`)).toEqual([{ amount: '0.02' }]);
    await base.db.query('delete from ops.watch; delete from ops.watch_message');
  });

  test('a list is renamed with its feed, never to a name that was used before, and removed', async () => {
    const { id } = await aProduct();
    await send(ruleOf(id));
    await send({ ...ruleOf(id), list: 'Party' });
    const taken = await send({ rename: 'party', name: 'Weekly shop', list: 'party' });
    expect([taken.status, await taken.text()]).toEqual([400, expect.stringContaining('There is, or was, a list')]);
    expect((await send({ rename: 'party', name: 'Birthday', list: 'party' })).headers.get('location')).toBe(
      '/watch?list=birthday',
    );
    expect((await base.get('/watch/birthday.atom')).status).toBe(200);
    expect((await base.get('/watch/party.atom')).status).toBe(404);
    for (const drop of ['birthday', 'weekly-shop']) await send({ drop });
    expect(await base.ask('select from marts.watch')).toEqual([]);
  });

  test('without a receiver the page says that nothing is sent, and takes no address', async () => {
    const html = await (await base.get('/watch')).text();
    expect(html).toContain('No e-mail is sent yet: ask whoever runs this explorer');
    expect(html).not.toContain('name="address"');
    expect((await send({ mailbox: 'weekly', address: 'anna@shop.example' })).status).toBe(400);
  });

  test('a form of another site, which has no token, changes nothing', async () => {
    const { id } = await aProduct();
    const body = new URLSearchParams({ region: 'uk', product: id, rule: 'back', amount: '', list: 'weekly' });
    const response = await ask(`${base.url}/watch`, new Cookies(), { method: 'POST', body });
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('This form has expired')]);
    expect(await base.ask('select from marts.watch')).toEqual([]);
  });

  test('a list is an Atom feed with one entry for each rule and night, under ids that never change', async () => {
    const event = { product_id: '7', title: 'Tea & <milk>', rule: 'back', amount: null, price: 1.2, currency: 'GBP' };
    const events = ['a', 'b'].map((watch_id) => ({
      ...event,
      watch_id,
      event: `For sale again at £1.20, after 3 days.`,
    }));
    await insert(
      base.db,
      'ops.watch_message',
      [book.firstNight, book.lastNight].map((night) => ({
        ...{ list: 'tea', region: 'uk', snapshot_date: night, created_at: '2026-06-10T04:00:00Z' },
        events: JSON.stringify(events),
      })),
    );
    const response = await base.get('/watch/tea.atom');
    expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    const feed = await response.text();
    expect([...feed.matchAll(/<entry>\s*<id>([^<]*)<\/id>/g)].map(([, id]) => id)).toEqual(
      [book.lastNight, book.firstNight].flatMap((night) =>
        ['a', 'b'].map((id) => `tag:pricebook.invalid,2026:watch/${id}/${night}`),
      ),
    );
    expect(feed).toContain('<title>Tea &amp; &lt;milk&gt;: For sale again at £1.20, after 3 days.</title>');
    expect(await (await base.get('/watch/tea.atom')).text()).toBe(feed);
    expect((await base.get('/watch/none.atom')).status).toBe(404);
    expect((await base.get('/watch/tea')).status).toBe(404);
  });
});

describe('watches with a mail server', () => {
  let explorer: Explorer;
  beforeAll(async () => {
    const clock = clockFrom(new Date(`${book.lastNight}T20:00:00Z`));
    const destination = () =>
      destinationOf('smtps://me:secretly@mail.shop.example/?from=me@shop.example&to=anna@shop.example');
    explorer = await openOver(base.db, { watchLists: createWatchLists({ db: base.db, clock, destination }) });
  });
  afterAll(() => explorer.close());

  test('the page says to whom e-mail goes, and takes an address for a list', async () => {
    const shown = async () => (await fetch(`${explorer.url}/watch?list=weekly`)).text();
    expect(await shown()).toContain('(if empty: anna@shop.example)');
    expect(await shown()).not.toMatch(/secretly|mail\.shop/);
    const refused = await send({ mailbox: 'weekly', list: 'weekly', address: 'a@b, c@d' }, explorer.url);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('Write one address')]);
    await send({ mailbox: 'weekly', address: 'ben@shop.example' }, explorer.url);
    expect(await shown()).toContain('value="ben@shop.example"');
    expect(await base.ask(`select from information_schema.tables where table_name = 'watch_mailbox'`)).toEqual([]);
    await send({ mailbox: 'weekly', address: '' }, explorer.url);
    expect(await shown()).not.toContain('ben@shop.example');
  });
});

describe('watches behind a password', () => {
  let explorer: Explorer;
  const access = { password: 'correct horse battery', userHeader: null, tokens: ['a-token-of-a-program-0123456789'] };
  beforeAll(async () => {
    explorer = await openOver(base.db, { access });
  });
  afterAll(() => explorer.close());

  test('only people who are logged in add rules, and a feed reader sends a token', async () => {
    const { id } = await aProduct();
    const cookies = new Cookies();
    const fields = { region: 'uk', product: id, rule: 'lowest', amount: '', list: 'weekly' };
    const post = (csrf: string) =>
      ask(`${explorer.url}/watch`, cookies, { method: 'POST', body: new URLSearchParams({ ...fields, _csrf: csrf }) });
    const login = await (await ask(`${explorer.url}/login`, cookies)).text();
    expect((await post(tokenIn(login))).status).toBe(401);
    await logIn(explorer.url, cookies, access.password);
    const form = await (await ask(`${explorer.url}/watch?region=uk&product=${id}`, cookies)).text();
    expect((await post(tokenIn(form))).status).toBe(303);
    const feed = (headers: Record<string, string>) =>
      ask(`${explorer.url}/watch/weekly.atom`, new Cookies(), { headers });
    expect((await feed({ accept: 'text/html' })).status).toBe(401);
    expect((await feed({ authorization: `Bearer ${access.tokens[0]}` })).status).toBe(200);
  });
});
