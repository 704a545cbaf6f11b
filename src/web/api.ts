import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { NothingFound, UsageInvalid } from '../base/errors.ts';
import { type QuestionEntry, questions } from '../questions/index.ts';
import { wholeNumber } from '../questions/parameters.ts';
import { checkParameters, headOf, type Row, settleParameters } from '../questions/question.ts';
import { askTables } from './answer-page.tsx';
import { withCategoryOfRegion } from './category-of-region.ts';
import { failureOf } from './failure.ts';
import type { Page, Table } from './page.ts';
import { PageNumber, readParameters } from './parameters.ts';
import type { Reader } from './reader.ts';

/** Increased when a field is renamed or changes its meaning; new fields do not increase it. */
const version = 1;

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

interface ApiNeeds {
  readonly reader: Reader;
  readonly pages: readonly Page[];
  onTrouble(error: unknown): void;
}

/** One path of the API: a question or the tables of a page. */
interface Resource {
  readonly path: string;
  readonly about: string;
  readonly parameters: z.ZodObject;
  /** Whether the resource can be about a single thing that may not exist (404). */
  readonly mayBeAbsent: boolean;
  answer(parameters: Record<string, unknown>): Promise<Answer>;
}

interface Answer {
  readonly parameters: Row;
  readonly tables: readonly Pick<Table<unknown>, 'name' | 'caption' | 'rows' | 'sql'>[];
}

/** Serves every question and every page as JSON, and the OpenAPI document that describes them. All routes are GET. */
export async function serveApi(server: FastifyInstance, { reader, pages, onTrouble }: ApiNeeds): Promise<void> {
  const resources = [
    ...pages.map((page) => pageResource(page, reader)),
    ...(await Promise.all(questions.map((entry) => questionResource(entry, reader)))),
  ];
  const document = openApiOf(resources);
  server.get('/api/v1/openapi.json', async () => document);

  for (const { path, parameters: shape, answer } of resources) {
    server.get(path, async (request, reply) => {
      const at = request.url.indexOf('?');
      const read = readParameters(shape, new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1)));
      if ('refused' in read) return reply.code(400).send({ version, error: read.refused.line });
      try {
        const { parameters, tables } = await answer(read.parameters);
        const byName = tables.map(({ name, caption, rows, sql }) => [name, { caption, rows, sql: sql.copy }]);
        return { version, parameters, tables: Object.fromEntries(byName) };
      } catch (error) {
        if (error instanceof UsageInvalid) return reply.code(400).send({ version, error: error.message });
        if (error instanceof NothingFound) return reply.code(404).send({ version, error: error.message });
        onTrouble(error);
        const { status, line } = failureOf(error);
        return reply.code(status).send({ version, error: line });
      }
    });
  }
}

function pageResource(page: Page, reader: Reader): Resource {
  return {
    path: `/api/v1${page.path === '/' ? '/overview' : page.path}`,
    about: page.about,
    parameters: page.parameters,
    mayBeAbsent: page.isOfOneThing,
    async answer(given) {
      const { parameters, notice } = await withCategoryOfRegion(page, given, reader);
      if (notice !== null) throw new UsageInvalid(notice);
      const tables = await askTables(page, parameters, reader);
      const empty = page.empty(tables, parameters);
      if (page.isOfOneThing && empty !== null) throw new NothingFound(empty);
      return { parameters, tables: Object.values(tables) };
    },
  };
}

async function questionResource({ name, about, load }: QuestionEntry, reader: Reader): Promise<Resource> {
  const question = await load();
  return {
    path: `/api/v1/questions/${name}`,
    about: `${about.charAt(0).toUpperCase()}${about.slice(1)}.`,
    parameters: question.parameters.extend({
      limit: wholeNumber(1, 10_000).default(1_000).meta({ description: 'Maximum number of rows' }),
      page: PageNumber,
    }),
    mayBeAbsent: 'category' in question.parameters.shape,
    async answer({ limit, page, ...given }) {
      const parameters = await settleParameters(question, checkParameters(given), reader.ask);
      const rows = Number(limit);
      const sql = question.sql(parameters, { limit: rows, offset: (Number(page) - 1) * rows });
      const answered = await reader.ask(sql);
      return {
        parameters: { ...headOf(question, parameters), limit, page },
        tables: [{ name, caption: about, rows: answered.rows, sql }],
      };
    },
  };
}

/** OpenAPI 3.1 document; zod generates its schemas. */
function openApiOf(resources: readonly Resource[]) {
  const refused = {
    description: 'One line that describes the error',
    content: jsonOf({ $ref: '#/components/schemas/Refusal' }),
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pricebook',
      version: String(version),
      description:
        'Read-only access to the questions and the pages of the explorer. Amounts are exact decimals as strings, in the ' +
        'currency of the row. Dates are local dates of the night in the region. Null means unknown.',
    },
    security: [{ token: [] }, {}],
    paths: Object.fromEntries(
      resources.map(({ path, about, parameters, mayBeAbsent }) => [
        path,
        {
          get: {
            operationId: path.replace('/api/v1/', '').replaceAll('/', '-'),
            summary: about,
            parameters: parametersOf(parameters),
            responses: {
              '200': {
                description: 'The tables of the page, or the rows of the question',
                content: jsonOf({ $ref: '#/components/schemas/Answer' }),
              },
              '400': refused,
              '401': refused,
              ...(mayBeAbsent ? { '404': refused } : {}),
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
            parameters: { type: 'object', description: 'Parameters as parsed, including defaults' },
            tables: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Table' } },
          },
        },
        Table: {
          type: 'object',
          required: ['caption', 'rows', 'sql'],
          properties: {
            caption: { type: 'string' },
            rows: {
              type: 'array',
              items: { type: 'object' },
              description: 'Rows with the column names of the data dictionary',
            },
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

function parametersOf(parameters: z.ZodObject) {
  // Types of the input: text in the URL, before zod converts it.
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
