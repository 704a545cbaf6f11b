import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { questions } from '../../questions/index.ts';
import { statementOf } from '../../questions/question.ts';
import { readParameters, searchIn } from '../kernel/addresses.ts';
import type { Reader } from '../reader.ts';
import { answerQuestion, CursorParameter, Limit } from './answer.ts';
import { Malformed } from './failure.ts';
import { feedOf, rowsOfFeed } from './feed.ts';
import { openApiOf, version } from './open-api.ts';
import { createWholeTables, formats } from './whole-tables.ts';

/** Whether a URL belongs to the API, whose responses are always JSON. */
export const isOfApi = (url: string) => /^\/api(?:[/?]|$)/.test(url);

export const unknownApiAddress = {
  version,
  error: 'This address does not exist. /api/v1/openapi.json lists all addresses.',
};

export const malformedApiAddress = {
  version,
  error: 'This address is malformed: two hexadecimal digits must follow each %.',
};

/** Serves every question as JSON page by page, as a whole table and as a feed, and the OpenAPI document. */
export function serveApi(server: FastifyInstance, reader: Reader, stalledAfterMs?: number): void {
  const sendWhole = createWholeTables(reader, stalledAfterMs);
  const document = openApiOf(questions);
  server.get('/api/v1/openapi.json', async () => document);

  for (const question of questions) {
    const path = `/api/v1/questions/${question.name}`;
    const shape = question.parameters.extend({ limit: Limit, cursor: CursorParameter });
    server.get(path, async ({ url }) => {
      const { sql, next, ...answer } = await answerQuestion(question, parametersIn(url, shape), reader);
      return { version, ...answer, next: next && addressWith(url, next), sql: sql.copy };
    });
    for (const ending of Object.keys(formats)) {
      server.get(`${path}.${ending}`, async ({ url }, reply) =>
        sendWhole(reply, question, parametersIn(url, question.parameters), ending),
      );
    }
    server.get(`${path}.atom`, async ({ url, protocol, host }, reply) => {
      const given = parametersIn(url, question.parameters);
      const { parameters, sql } = await statementOf(question, given, { limit: rowsOfFeed }, reader.ask);
      const { rows } = await reader.ask(sql);
      return reply
        .type('application/atom+xml; charset=utf-8')
        .send(feedOf({ question, parameters, rows, href: url, base: `${protocol}://${host}` }));
    });
  }
}

/** Throws `Malformed` for parameters that the shape does not allow, and for empty ones, which only forms send. */
function parametersIn(url: string, shape: z.ZodObject): Record<string, unknown> {
  const search = searchIn(url);
  const empty = [...search].find(([, value]) => value.trim() === '');
  if (empty) throw new Malformed(empty[0], 'is empty');
  return readParameters(shape, search);
}

function addressWith(url: string, cursor: string): string {
  const { pathname, searchParams } = new URL(url, 'http://here.invalid');
  searchParams.set('cursor', cursor);
  return `${pathname}?${searchParams}`;
}
