import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
    expect(page).toContain('costs at most £1.25');
    expect(page).not.toMatch(/\b[A-Z]+_[A-Z]+\b(?=[^<]*<\/p>)/);
    const [, suggested] = /name="amount"[^>]*value="([\d.]+)"/.exec(form)!;
    const [now] = await base.ask<{ price: string }>(
      `select least(price, loyalty_price) as price from marts.product_now where region = 'uk' and product_id = '${id}'`,
    );
    expect(Number(suggested)).toBeLessThan(Number(now!.price));
    expect((await post({ ...fields, amount: '999', list: 'now' })).status).toBe(303);
    const trueNow = await (await ask(`${base.url}/watch?list=now`, cookies)).text();
    expect(trueNow).toContain('<h1>1 rule is true now</h1>');
    const [, other] = /name="remove" value="([^"]+)"/.exec(trueNow)!;
    expect((await post({ _csrf: tokenIn(trueNow), remove: other! })).status).toBe(303);
    expect(page).toContain('href="/watch/weekly.atom"');

    expect((await post({ ...fields, amount: '' })).status).toBe(400);
    expect((await post({ ...fields, list: 'No <b>' })).status).toBe(400);
    expect((await post({ ...fields, product: 'none' })).status).toBe(404);
    const [, watchId] = /name="remove" value="([^"]+)"/.exec(page)!;
    expect((await post({ _csrf: tokenIn(page), remove: watchId! })).status).toBe(303);
    expect(await base.ask('select from marts.watch')).toEqual([]);
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
