import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { askTables } from './answer-page.tsx';
import { withCategoryOfRegion } from './category-of-region.ts';
import { failureOf } from './failure.ts';
import type { Page } from './page.ts';
import { readParameters } from './parameters.ts';
import type { Reader } from './reader.ts';

/** Raised when a field is renamed or means something else; fields may be added. */
const version = 1;

/** What is asked for by a program, and answered as JSON whatever it is. */
export const isOfApi = (url: string) => /^\/api(?:[/?]|$)/.test(url);

export const unknownApiAddress = {
  version,
  error: 'Nothing has this address; /api/v1/openapi.json lists those there are.',
};

export const malformedApiAddress = {
  version,
  error: 'This address cannot be read: after each % two hexadecimal digits must follow.',
};

export interface ApiNeeds {
  readonly reader: Reader;
  readonly pages: readonly Page[];
  onTrouble(error: unknown): void;
}

/** Each page as JSON, from the definition it is drawn from, and the OpenAPI document that describes them. Everything is GET. */
export function serveApi(server: FastifyInstance, { reader, pages, onTrouble }: ApiNeeds): void {
  const document = openApiOf(pages);
  server.get('/api/v1/openapi.json', async () => document);

  for (const page of pages) {
    server.get(pathOf(page), async (request, reply) => {
      const at = request.url.indexOf('?');
      const read = readParameters(page.parameters, new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1)));
      if ('refused' in read) return reply.code(400).send({ version, error: read.refused.line });
      try {
        const { parameters, notice } = await withCategoryOfRegion(page, read.parameters, reader);
        if (notice !== null) return await reply.code(400).send({ version, error: notice });
        const tables = await askTables(page, parameters, reader);
        const empty = page.empty(tables, parameters);
        if (page.isOfOneThing && empty !== null) return await reply.code(404).send({ version, error: empty });
        return {
          version,
          parameters,
          tables: Object.fromEntries(
            Object.values(tables).map(({ name, caption, rows, sql }) => [name, { caption, rows, sql: sql.copy }]),
          ),
        };
      } catch (error) {
        onTrouble(error);
        const { status, line } = failureOf(error);
        return reply.code(status).send({ version, error: line });
      }
    });
  }
}

function pathOf({ path }: Page): string {
  return `/api/v1${path === '/' ? '/overview' : path}`;
}

/** Description of the API in the form of OpenAPI 3.1, whose schemas are JSON Schema as zod writes it. */
function openApiOf(pages: readonly Page[]) {
  const refused = {
    description: 'One line about what is wrong',
    content: jsonOf({ $ref: '#/components/schemas/Refusal' }),
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pricebook',
      version: String(version),
      description:
        'What the pages of the explorer are drawn from, read-only. Amounts are exact decimals as texts, in the currency of the row; dates are dates of the night in the region; null is unknown.',
    },
    security: [{ token: [] }, {}],
    paths: Object.fromEntries(
      pages.map((page) => [
        pathOf(page),
        {
          get: {
            operationId: page.path === '/' ? 'overview' : page.path.slice(1).replaceAll('/', '-'),
            summary: page.about,
            parameters: parametersOf(page),
            responses: {
              '200': {
                description: 'The tables of the page',
                content: jsonOf({ $ref: '#/components/schemas/Answer' }),
              },
              '400': refused,
              '401': refused,
              ...(page.isOfOneThing ? { '404': refused } : {}),
              '500': refused,
              '503': refused,
            },
          },
        },
      ]),
    ),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Answer: {
          type: 'object',
          required: ['version', 'parameters', 'tables'],
          properties: {
            version: { const: version },
            parameters: { type: 'object', description: 'As they were read, defaults among them' },
            tables: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Table' } },
          },
        },
        Table: {
          type: 'object',
          required: ['caption', 'rows', 'sql'],
          properties: {
            caption: { type: 'string' },
            rows: { type: 'array', items: { type: 'object' }, description: 'Under the names of the data dictionary' },
            sql: { type: 'string', description: 'The statement with its values filled in' },
          },
        },
        Refusal: {
          type: 'object',
          required: ['error'],
          properties: { version: { const: version }, error: { type: 'string' } },
        },
      },
    },
  };
}

function parametersOf({ parameters }: Page) {
  // As they are written in an address, before they are read.
  const { properties = {}, required = [] } = z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: typeof schema === 'object' ? (schema.description ?? name) : name,
    schema,
  }));
}

function jsonOf(schema: object) {
  return { 'application/json': { schema } };
}
