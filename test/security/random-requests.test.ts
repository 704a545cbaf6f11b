import { once } from 'node:events';
import { request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { questions } from '../../src/questions/index.ts';
import { pages } from '../../src/web/pages/index.ts';
import { openOver, useExplorer } from '../explorer/explorer-book.ts';
import { type Chance, createChance } from '../support/chance.ts';
import cases from './random-requests.json' with { type: 'json' };

const explorer = useExplorer();
const seed = Number(process.env['SEED'] ?? 1);
const requests = Number(process.env['REQUESTS'] ?? 10_000);
const atOnce = 4;

const endings = ['', '.csv', '.ndjson', '.atom', '/', '.xml'];
const places = [
  ...pages.map(({ path, question }) => ({ path, question: question.name })),
  ...questions.flatMap(({ name }) =>
    endings.map((ending) => ({ path: `/api/v1/questions/${name}${ending}`, question: name })),
  ),
  ...[
    ...['/mcp', '/mcp/', '/questions', '/docs', '/docs/operate/security', '/jobs/board'],
    ...['/api/status', '/api/v1/openapi.json', '/api/v1/questions', '/metrics', '/healthz', '/readyz', '/absent', '//'],
    ...['/%zz', '/..%2f..%2fetc/passwd', '/docs/../../etc/passwd', '/docs/%00', '/assets/x.js', '/*', '/find/:id'],
    ...['http://evil.example/mcp', 'http://evil.example/api/v1/questions/asof?limit=1', '*', '/find#x', '/find?%00=1'],
  ].map((path) => ({ path, question: '' })),
];
const names = [
  ...new Set(
    [...pages, ...questions.map((question) => ({ question }))].flatMap((page) =>
      Object.keys(page.question.parameters.shape),
    ),
  ),
  ...['page', 'limit', 'cursor', 'items', '__proto__', 'constructor', 'toString', '', '\0', 'région', 'a[b]', '%'],
];
const words = String.raw`0 -1 1 2 1e308 1e-400 NaN Infinity 0x10 1.5 99999999999 uk ie uk,ie UK fr 2026-06-06 2026-06-09
  2026-02-30 0000-01-01 9999-12-31 20260609 milk ';drop % _ \ \u0000 { [] {{ :* &|! ( <-> $1 <script> __proto__ null
  true :: 1:2 https://shop.example/groceries/en-GB/products/1 http:// b;QQ== 100 101:999 ß é 👩`.split(/\s+/);
const values = [
  ...[...words, '', ' ', '\0', 'a\0b', 'a b', '\ud800', '\u202e', 'e\u0301', '\u200b', '\r\nx: y', 'a'.repeat(199)],
  ...['x'.repeat(1_000), '1,'.repeat(99), '(('.repeat(99), '\u0130'.repeat(200), ' '.repeat(5_000), 'é'.repeat(6_000)],
];
const cursors = 'garbage {} [] {"of":-1} {"of":1,"offset":2000000000} {"of":1e99} {"of":1,"after":{}}'.split(' ');
const methods = [...Array(16).fill('GET'), 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'];
const headers = cases.headers as [string, string[]][];

const drawnValue = (chance: Chance): string =>
  chance.happens(0.03) ? chance.pick(values).repeat(chance.whole(0, 50)).slice(0, 40_000) : chance.pick(values);
const cursorOf = (chance: Chance) => Buffer.from(chance.pick(cursors)).toString('base64url');

/** Names of the parameters of a question, each with the words that it accepts. */
const known = new Map(
  questions.map(({ name, parameters }) => {
    const { properties = {} } = z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' });
    return [name, Object.entries(properties as Record<string, { enum?: string[] }>)] as const;
  }),
);
const dates = ['2026-06-05', '2026-06-06', '2026-06-08', '2026-06-09'];
const good: Readonly<Record<string, readonly string[]>> = {
  ...{ since: dates, until: dates, date: dates, before: dates, limit: ['1', '50', '1000'], page: ['1', '2', '1000'] },
  ...{ product: ['100', '101'], items: ['100', '100:2,101'], words: ['milk', 'tea b'] },
};

/** A parameter, usually one that the question has with a value that it accepts. */
function parameterOf(chance: Chance, question: string): readonly [string, string] {
  const own = known.get(question) ?? [];
  const [name, { enum: words = undefined } = {}] =
    chance.happens(0.9) && own.length > 0 ? chance.pick(own) : ([chance.pick(names)] as const);
  const accepted = words ?? (Object.hasOwn(good, name) ? good[name] : undefined);
  if (name === 'cursor' && chance.happens(0.8)) return [name, cursorOf(chance)];
  return [name, accepted && chance.happens(0.7) ? chance.pick(accepted) : drawnValue(chance)];
}

function pathOf(chance: Chance): string {
  const { path, question } = chance.pick(places);
  const length = chance.pick([0, 1, 1, 2, 3, 8]);
  const given: (readonly [string, string])[] = [
    ...new Map(Array.from({ length }, () => parameterOf(chance, question))),
  ];
  if (chance.happens(0.02)) given.push(...Array.from({ length: 2_000 }, () => given[0] ?? (['items', '1'] as const)));
  const search = given.map(([name, value]) => {
    // Broken encodings, too.
    const written = chance.happens(0.05) ? value.replace(/[^!-~]/g, '%') : encodeURIComponent(value.toWellFormed());
    return `${encodeURIComponent(name)}=${written}`;
  });
  const text = search.join(chance.happens(0.9) ? '&' : chance.pick(['&&', ';']));
  return `${path}${text && '?'}${text}`.slice(0, 60_000);
}

function jsonOf(chance: Chance, depth = 0): unknown {
  const draws = [() => chance.pick(values), () => chance.whole(-9, 9), () => null, () => true, () => 1e300];
  if (depth > 2) return chance.pick(draws)();
  const list = () => Array.from({ length: chance.whole(0, 3) }, () => jsonOf(chance, depth + 1));
  return chance.pick([...draws, list, () => Object.fromEntries(list().map((value) => [chance.pick(names), value]))])();
}

function bodyOf(chance: Chance): string {
  const { name: question } = chance.pick(questions);
  const call = () => ({
    jsonrpc: chance.pick(['2.0', '2.0', '2.0', '1.0']),
    id: chance.pick([1, 'a', null, 1.5]),
    method: chance.pick(['tools/call', 'tools/call', 'tools/call', 'tools/list', 'initialize', 'ping', 'x', 1]),
    params: chance.happens(0.1)
      ? jsonOf(chance)
      : {
          name: question,
          arguments: chance.happens(0.8)
            ? Object.fromEntries(Array.from({ length: chance.whole(0, 3) }, () => parameterOf(chance, question)))
            : jsonOf(chance),
        },
  });
  if (chance.happens(0.05)) return chance.pick(['', '{', '[', 'null', '"', '[]', '[[]]', '\0', '['.repeat(20_000)]);
  return JSON.stringify(chance.happens(0.1) ? Array.from({ length: chance.whole(0, 12) }, call) : call());
}

test('no random request is answered with a fault, and none is an error in the log', {
  timeout: 3_000_000,
}, async () => {
  const troubles: string[] = [];
  const faults: unknown[] = [];
  const blocks = monitorEventLoopDelay({ resolution: 1 });
  const other = await openOver(explorer.db, { onTrouble: (error) => troubles.push(String(error)) });
  const counts = new Map<number, number>();
  const count = (status: number) => counts.set(status, (counts.get(status) ?? 0) + 1);

  /** Returns the path. */
  async function ask(chance: Chance): Promise<string> {
    const isCall = chance.happens(0.25);
    const method = isCall ? 'POST' : chance.pick(methods);
    const path = isCall ? '/mcp' : pathOf(chance);
    const own = isCall ? { 'content-type': 'application/json', accept: '*/*' } : {};
    const drawn = headers.filter(() => chance.happens(0.03)).map(([name, some]) => [name, chance.pick(some)]);
    const body = method === 'POST' || method === 'PUT' ? bodyOf(chance) : undefined;
    const given = { path, method, headers: { ...own, ...Object.fromEntries(drawn) } };
    try {
      // Whole tables may be busy, and say when to come back.
      for (let turn = 0, isBusy = true; isBusy && turn < 200; turn++) {
        const sent = request(other.url, { ...given, agent: false });
        sent.setTimeout(60_000, () => sent.destroy(new Error('no answer')));
        sent.end(body);
        const [response] = await once(sent, 'response');
        const { statusCode: status, headers: answered } = response;
        const text = Buffer.concat(await response.toArray()).toString();
        isBusy = status === 503 && 'retry-after' in answered;
        if (isBusy) continue;
        count(status);
        if (status >= 500 || text.includes('has a fault')) faults.push({ ...given, body, status, text });
      }
    } catch (error) {
      // A malformed request is refused by closing its connection.
      if ((error as Error).message === 'no answer') faults.push({ ...given, body });
      count(0);
    }
    return path;
  }

  blocks.enable();
  let longest = { ns: 0, path: '' };
  const next = Array.from({ length: requests }, (_, i) => createChance(seed * 1_000_003 + i)).values();
  const drawing = Array.from({ length: atOnce }, async () => {
    for (const chance of next) {
      const path = await ask(chance);
      if (blocks.max > longest.ns) longest = { ns: blocks.max, path };
    }
  });
  await Promise.all(drawing);
  await other.close();
  console.info(
    `seed ${seed}; answers by status`,
    Object.fromEntries(counts),
    `longest block: ${Math.round(longest.ns / 1e6)} ms, near ${longest.path.slice(0, 200)}`,
  );
  expect(faults.slice(0, 20)).toEqual([]);
  expect(troubles.slice(0, 20)).toEqual([]);
  expect(counts.get(200)).toBeGreaterThan(requests / 20);
});
