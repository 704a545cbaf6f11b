import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useInstallation } from '../support/queue-backends.ts';
import { realShaped } from '../support/real-shaped.ts';
import { createSmallUpstream, type SmallUpstream } from '../support/small-upstream.ts';
import { type DirectBook, openDirectBook } from '../trust/direct-book.ts';

const pageSize = 24;

describe('a catalogue shaped like a real one: 15 departments, 152 children, some goods listed twice', () => {
  const installation = useInstallation();
  const shelves = realShaped();
  let upstream: SmallUpstream;
  let book: DirectBook;

  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves, pageSize });
    const { databaseUrl, queue } = installation;
    book = await openDirectBook({ upstream: upstream.url, env: { DATABASE_URL: databaseUrl, ...queue } });
  });
  afterAll(async () => {
    await book?.close();
    await upstream?.close();
  });

  test('a first night needs 1.3 times the minimum of requests, the next one 1.1 times', async () => {
    const first = await overFewest('2026-05-01');
    expect(first).toBeLessThanOrEqual(1.3);
    expect(await overFewest('2026-05-02')).toBeLessThanOrEqual(1.1);
    expect(first).toBeGreaterThan(1);
  });

  async function overFewest(date: string): Promise<number> {
    const run = await book.night('uk', date);
    expect(run.verdict).toBe('complete');
    const { requestsSpent, productsListed } = await book.base.runs.byId(run.runId);
    return requestsSpent! / Math.ceil(productsListed! / pageSize);
  }
});
