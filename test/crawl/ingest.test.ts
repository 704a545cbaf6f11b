import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createIngest } from '../../src/crawl/ingest.ts';
import { defineEndpoint } from '../../src/source/endpoints/define-endpoint.ts';

test('nothing of a group is parsed before the whole group is archived', async () => {
  const events: string[] = [];
  const endpoint = defineEndpoint<string, string>({
    ...{ name: 'uk-category-page', listing: 'grocery', region: 'uk', paths: ['/category-page'], query: () => ({}) },
    read(_, params) {
      events.push(`parsed ${params}`);
      return { records: params, rejected: [] };
    },
  });
  const ingest = createIngest({
    extraFields: [],
    archive: {
      async put(payloads) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        events.push(`archived ${payloads.length}`);
      },
    },
    onBroken: async () => undefined,
  });
  const answered = ['one', 'two'].map((params) => ({ params, answer: { payload: payload(params), body: {} } }));
  await ingest(endpoint, answered, 1);
  expect(events).toEqual(['archived 2', 'parsed one', 'parsed two']);
});

function payload(text: string) {
  const body = Buffer.from(text);
  return {
    ...({ listing: 'grocery', endpoint: 'uk-category-page', region: 'uk', host: 'grocery.example' } as const),
    ...{ request: `/category-page?${text}`, status: 200, receivedAt: new Date('2026-03-01T02:00:00Z'), body },
    sha256: createHash('sha256').update(body).digest('hex'),
  };
}
