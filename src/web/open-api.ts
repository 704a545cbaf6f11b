import { z } from 'zod';
import { isKnown, type Kind, type Question } from '../questions/question.ts';
import type { Resource } from './api.ts';

/** Increased when a field is renamed or changes its meaning; new fields do not increase it. */
export const version = 1;

type Schema = Readonly<Record<string, unknown>>;

const decimal = { type: 'string', format: 'decimal', description: 'An exact decimal number' };

/** JSON types by kind of column. */
const types: Readonly<Record<Kind, Schema & { readonly type: string }>> = {
  text: { type: 'string' },
  sentence: { type: 'string' },
  number: { type: 'integer' },
  key: { type: 'integer' },
  decimal,
  float: { type: 'number' },
  money: { ...decimal, description: 'An exact amount in the currency of the row' },
  percent: decimal,
  date: { type: 'string', format: 'date' },
  instant: { type: 'string', format: 'date-time' },
  'yes-no': { type: 'boolean' },
};

function rowOf({ columns }: Question): Schema {
  const typed = columns.map((column) => {
    const { type, ...more } = types[column.as ?? 'text'];
    return [column.name, { type: isKnown(column) ? type : [type, 'null'], ...more }];
  });
  return { type: 'object', required: columns.map(({ name }) => name), properties: Object.fromEntries(typed) };
}

/** OpenAPI 3.1 document; zod generates the schemas of parameters. */
export function openApiOf(resources: readonly Resource[]) {
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
        'Read-only access to the questions and the pages of the explorer. Amounts are exact decimals as strings, in ' +
        'the currency of the row. Dates are local dates of the night in the region. Null means unknown. ' +
        'The whole table of a question is at its path with `.ndjson` or `.csv`.',
      contact: { name: 'Whoever runs this explorer' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'questions', description: 'Rows of a question, page by page' },
      { name: 'pages', description: 'Tables of a page of the explorer' },
    ],
    security: [{ token: [] }, {}],
    paths: Object.fromEntries(
      resources.map(({ path, about, parameters, mayBeAbsent, question }) => [
        path,
        {
          get: {
            operationId: path.replace('/api/v1/', '').replaceAll('/', '-'),
            summary: about,
            description: question
              ? 'Rows in pages of at most `limit`; `next` is the address of the next page of the same nights.'
              : 'The tables of the page at `/` of the same name, for the same parameters.',
            tags: [question ? 'questions' : 'pages'],
            parameters: parametersOf(parameters),
            responses: {
              '200': {
                description: question ? 'The rows of the question' : 'The tables of the page',
                content: jsonOf({ $ref: `#/components/schemas/${question ? answerName(question.name) : 'Answer'}` }),
              },
              '400': refused,
              '401': refused,
              ...(mayBeAbsent ? { '404': refused } : {}),
              '405': refused,
              ...(question ? { '409': refused } : {}),
              '421': refused,
              '422': refused,
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
          resources.flatMap(({ question }) =>
            question === undefined
              ? []
              : [
                  [rowName(question.name), rowOf(question.definition)],
                  [answerName(question.name), answerOf(question.name)],
                ],
          ),
        ),
        Answer: answerSchema({ type: 'object', additionalProperties: tableOf({ type: 'object' }) }),
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
  return answerSchema(
    { type: 'object', required: [question], properties: { [question]: table } },
    {
      next: {
        type: ['string', 'null'],
        description: 'Address of the next page of the same nights; null: the last page',
      },
    },
  );
}

function answerSchema(tables: Schema, more: Readonly<Record<string, Schema>> = {}): Schema {
  return {
    type: 'object',
    required: ['version', 'book', ...Object.keys(more), 'parameters', 'tables'],
    properties: {
      version: { const: version },
      book: { $ref: '#/components/schemas/Book' },
      ...more,
      parameters: { type: 'object', description: 'Parameters as parsed, including defaults' },
      tables,
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
  return Object.entries(properties as Readonly<Record<string, z.core.JSONSchema.Schema>>).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: schema.description ?? name,
    schema: { ...schema, ...textOf(schema) },
  }));
}

/** A text must not be empty, and PostgreSQL does not store NUL. */
function textOf({ type, pattern, enum: words, const: word, minLength = 0 }: z.core.JSONSchema.Schema): Schema {
  if (type !== 'string' || (pattern ?? words ?? word) !== undefined) return {};
  const least = Math.max(1, minLength);
  return { minLength: least, pattern: `^[^\\u0000]*([^\\s\\u0000][^\\u0000]*){${least}}$` };
}

function jsonOf(schema: Schema) {
  return { 'application/json': { schema } };
}
