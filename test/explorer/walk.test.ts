import { beforeAll, describe, expect, it } from 'vitest';
import { useCliHome } from '../cli/pricebook.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { openOver } from './explorer-book.ts';

const book = useInstallation();
const { run } = useCliHome({ book });

interface Answer {
  readonly book: { readonly nights: Readonly<Record<string, string>> };
  readonly next: string | null;
  readonly parameters: { readonly limit: number };
  readonly rows: unknown[];
}

async function crawl(night: string, ...regions: string[]) {
  for (const region of regions) {
    const small = ['--region', region, '--items', '120', '--max-details', '0'];
    expect((await run(['--now', night, 'crawl', ...small])).code).toBe(0);
  }
}

describe('a walk through the pages of a question', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    await crawl('2026-03-01', 'uk', 'ie');
    await crawl('2026-03-02', 'uk', 'ie');
    // The Irish night of this date is published during the walk.
    await crawl('2026-03-03', 'uk');
  }, 120_000);

  it('a walk is complete and of its own nights while others are published, or is refused', async () => {
    const explorer = await openOver(book.db);
    const get = (path: string) => fetch(explorer.url + path);
    const whole = async (question: string) =>
      (await (await get(`/api/v1/questions/${question.replace('?', '.ndjson?')}`)).text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    try {
      const walks: { question: string; first: Answer; rows: { product_id: string }[] }[] = [];
      for (const question of ['changes?limit=1', 'asof?region=uk&limit=20', 'asof?region=ie&limit=20']) {
        const first: Answer = await (await get(`/api/v1/questions/${question}`)).json();
        walks.push({ question, first, rows: await whole(question.replace(/limit=\d+/, '')) });
      }
      const [product] = walks.find(({ question }) => question.includes('region=uk'))!.rows;
      const basket: Answer = await (await get(`/api/v1/questions/basket?items=${product!.product_id}&limit=1`)).json();
      await crawl('2026-03-03', 'ie');
      await crawl('2026-03-04', 'uk');
      for (const { question, first, rows } of walks) {
        const walked = [...first.rows];
        for (let { next } = first; next !== null; ) {
          const page: Answer = await (await get(next)).json();
          expect([question, page.book]).toEqual([question, first.book]);
          expect(page.rows.length).toBeLessThanOrEqual(page.parameters.limit);
          walked.push(...page.rows);
          next = page.next;
        }
        expect(walked.length).toBeGreaterThan(first.parameters.limit);
        expect(walked).toEqual(rows);
        expect(await whole(question.replace(/limit=\d+/, ''))).not.toEqual(rows);
      }
      const refused = await get(basket.next!);
      expect([refused.status, await refused.json()]).toEqual([
        409,
        { version: 1, error: expect.stringMatching(/^The nights of this walk have changed/) },
      ]);
    } finally {
      await explorer.close();
    }
  });
});
