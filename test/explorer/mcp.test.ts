import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { questions } from '../../src/questions/index.ts';
import { useExplorer } from './explorer-book.ts';

const explorer = useExplorer();

interface Told {
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean;
}

/** Lets an assistant ask by HTTP. */
async function withAssistant<Result>(use: (client: Client) => Promise<Result>, url = explorer.url): Promise<Result> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

const call = async (client: Client, name: string, given: Record<string, unknown>) => {
  const { content, isError } = (await client.callTool({ name, arguments: given })) as unknown as Told;
  return { isError: isError === true, text: content[0]!.text };
};

describe('the questions as tools of an assistant', () => {
  it('an assistant has each question as a tool with its parameters', async () => {
    const { tools } = await withAssistant((client) => client.listTools());
    expect(tools.map(({ name }) => name)).toEqual(questions.map(({ name }) => name));
    const changes = tools.find(({ name }) => name === 'changes')!;
    expect(changes.annotations).toMatchObject({ readOnlyHint: true });
    expect(Object.keys(changes.inputSchema.properties!)).toEqual(
      expect.arrayContaining(['region', 'since', 'category', 'min_pct', 'limit', 'cursor']),
    );
  });

  it('an assistant gets the rows that the API has, their night, and the cursor of the next page', async () => {
    const first = await (await explorer.get('/api/v1/questions/changes?region=uk&limit=3')).json();
    const api = await (await explorer.get(first.next)).json();
    await withAssistant(async (client) => {
      const cursor = JSON.parse((await call(client, 'changes', { region: 'uk', limit: 3 })).text).next_cursor;
      const { rows, book } = JSON.parse((await call(client, 'changes', { region: 'uk', limit: 3, cursor })).text);
      expect(rows).toEqual(api.rows);
      expect(book).toMatchObject(api.book);
    });
  });

  it('an assistant is told in one line what it asked wrongly', async () => {
    await withAssistant(async (client) => {
      expect(await call(client, 'changes', { category: 'Moon Rocks' })).toEqual({
        isError: true,
        text: expect.stringMatching(/^No category of uk or ie is called "Moon Rocks"/),
      });
      const { isError, text } = await call(client, 'changes', { limit: 5_000 });
      expect([isError, text]).toEqual([true, expect.stringContaining('must be a whole number from 1 to 1000')]);
      const late = await call(client, 'nights', { cursor: Buffer.from('{"of":0}').toString('base64url') });
      expect(late).toEqual({ isError: true, text: expect.stringMatching(/^The nights of this walk have changed/) });
    });
  });

  it('an assistant may start the program itself and ask on its standard input', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [fileURLToPath(new URL('../../src/cli/pricebook.js', import.meta.url)), 'mcp'],
      env: { PATH: process.env['PATH']!, DATABASE_URL: explorer.db.url },
      stderr: 'ignore',
    });
    await client.connect(transport);
    const { text } = await call(client, 'asof', { region: 'ie', limit: 1 });
    expect(JSON.parse(text).rows).toHaveLength(1);
    await client.close();
  }, 60_000);
});
