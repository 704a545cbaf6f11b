import { z } from 'zod';
import { NothingFound } from '../base/errors.ts';
import { checkParameters, type Question, settleParameters } from '../questions/question.ts';
import type { Resource } from './api.ts';
import type { Reader } from './reader.ts';

/** Increased when a field is renamed or changes its meaning; new fields do not increase it. */
export const version = 1;

type Schema = Readonly<Record<string, unknown>>;

/** JSON types by PostgreSQL type; others are strings. */
const types: Readonly<Record<string, Schema>> = {
  bool: { type: ['boolean', 'null'] },
  int2: { type: ['integer', 'null'] },
  int4: { type: ['integer', 'null'] },
  int8: { type: ['integer', 'null'] },
  float8: { type: ['number', 'null'] },
  numeric: { type: ['string', 'null'], format: 'decimal', description: 'An exact decimal number' },
  date: { type: ['string', 'null'], format: 'date' },
  timestamptz: { type: ['string', 'null'], format: 'date-time' },
  _text: { type: ['array', 'null'], items: { type: 'string' } },
};

/** Schema of a row by question, from the types that PostgreSQL gives to the columns of its statement. */
export async function rowsOf(
  resources: readonly Resource[],
  reader: Reader,
): Promise<Readonly<Record<string, Schema>>> {
  const rows = resources.map(
    async ({ question: { name, definition } }) => [name, await rowOf(definition, reader)] as const,
  );
  return Object.fromEntries(await Promise.all(rows));
}

async function rowOf(question: Question, reader: Reader): Promise<Schema> {
  try {
    const needed = Object.entries<z.ZodType>(question.parameters.shape as Record<string, z.ZodType>).filter(
      ([, shape]) => !shape.safeParse(undefined).success,
    );
    const given = Object.fromEntries(needed.map(([name]) => [name, name === 'region' ? 'uk' : '1']));
    const parameters = await settleParameters(question, checkParameters(question.parameters.parse(given)), reader.ask);
    const columns = await reader.describe(question.sql(parameters, { limit: 0 }));
    const typed = columns.map(({ name, type }) => [name, types[type] ?? { type: ['string', 'null'] }]);
    return { type: 'object', required: columns.map(({ name }) => name), properties: Object.fromEntries(typed) };
  } catch (error) {
    // Before the first night there may be nothing to describe.
    if (error instanceof NothingFound) return { type: 'object' };
    throw error;
  }
}

/** OpenAPI 3.1 document; zod generates the schemas of parameters. */
export function openApiOf(resources: readonly Resource[], rows: Readonly<Record<string, Schema>>) {
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
        'Read-only access to the questions. Amounts are exact decimals as strings, in ' +
        'the currency of the row. Dates are local dates of the night in the region. Null means unknown. ' +
        'The whole table of a question is at its path with `.ndjson` or `.csv`.',
    },
    security: [{ token: [] }, {}],
    paths: Object.fromEntries(
      resources.map(({ path, about, parameters, mayBeAbsent, question }) => [
        path,
        {
          get: {
            operationId: path.replace('/api/v1/', '').replaceAll('/', '-'),
            summary: about,
            parameters: parametersOf(parameters),
            responses: {
              '200': {
                description: 'The rows of the question',
                content: jsonOf({ $ref: `#/components/schemas/${answerName(question.name)}` }),
              },
              '400': refused,
              '401': refused,
              ...(mayBeAbsent ? { '404': refused } : {}),
              '409': refused,
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
        ...Object.fromEntries(
          Object.entries(rows).flatMap(([name, row]) => [
            [rowName(name), row],
            [answerName(name), answerOf(name)],
          ]),
        ),
        Book: {
          type: 'object',
          description: 'State of the book that the rows are of',
          required: ['version', 'nights'],
          properties: {
            version: { type: 'integer', description: 'Rises with every night that is written, changed or derived' },
            nights: {
              type: 'object',
              description: 'Last night by region',
              additionalProperties: { type: 'string', format: 'date' },
            },
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

const named = (name: string) => name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
const rowName = (question: string) => `${named(question)}Row`;
const answerName = (question: string) => `${named(question)}Answer`;

function answerOf(question: string): Schema {
  const table = tableOf({ $ref: `#/components/schemas/${rowName(question)}` });
  return {
    type: 'object',
    required: ['version', 'book', 'next', 'parameters', 'tables'],
    properties: {
      version: { const: version },
      book: { $ref: '#/components/schemas/Book' },
      next: {
        type: ['string', 'null'],
        description: 'Address of the next page of the same state; null: the last page',
      },
      parameters: { type: 'object', description: 'Parameters as parsed, including defaults' },
      tables: { type: 'object', required: [question], properties: { [question]: table } },
    },
  };
}

function tableOf(row: Schema): Schema {
  return {
    type: 'object',
    required: ['caption', 'rows', 'sql'],
    properties: {
      caption: { type: 'string' },
      rows: { type: 'array', items: row, description: 'Rows with the column names of the data dictionary' },
      sql: { type: 'string', description: 'The statement with its values filled in' },
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

function jsonOf(schema: Schema) {
  return { 'application/json': { schema } };
}
