import { z } from 'zod';
import { isKnown, type Kind } from '../../questions/columns.ts';
import type { Question } from '../../questions/question.ts';
import { CursorParameter, Limit } from './answer.ts';
import parts from './open-api.json' with { type: 'json' };

/** Increased when a field is renamed or changes its meaning; new fields do not increase it. */
export const version = 1;

type Schema = Readonly<Record<string, unknown>>;

const { types, ...fixed } = parts;
/** JSON types by kind of column. */
const typeOf: Readonly<Record<Kind, Schema & { readonly type: string }>> = types;

function rowOf({ columns }: Question): Schema {
  const typed = columns.map((column) => {
    const { type, ...more } = typeOf[column.as ?? 'text'];
    return [column.name, { type: isKnown(column) ? type : [type, 'null'], ...more }];
  });
  return { type: 'object', required: columns.map(({ name }) => name), properties: Object.fromEntries(typed) };
}

const { Answer, ...schemas } = fixed.components.schemas;

/** OpenAPI 3.1 document: its fixed parts and those of the questions; zod generates the schemas of parameters. */
export function openApiOf(questions: readonly Question[]) {
  const ofQuestions = questions.flatMap((question) => [
    [rowName(question), rowOf(question)],
    [answerName(question), answerOf(question)],
  ]);
  return {
    ...fixed,
    info: { ...fixed.info, version: String(version) },
    paths: Object.fromEntries(questions.flatMap(pathsOf)),
    components: { ...fixed.components, schemas: { ...Object.fromEntries(ofQuestions), ...schemas } },
  };
}

/** Rows page by page, whole tables and the feed of a question. */
function pathsOf(question: Question): [path: string, item: Schema][] {
  const { name, about, parameters } = question;
  const text = (type: string) => ({ [type]: { schema: { type: 'string' } } });
  const pages = 'Rows in pages of at most `limit`; `next` is the address of the next page of the same nights.';
  const answer = jsonOf({ $ref: `#/components/schemas/${answerName(question)}` });
  const paged = parameters.extend({ limit: Limit, cursor: CursorParameter });
  const kinds = [
    ['', 'rows', pages, answer, paged],
    ['csv', 'whole tables', 'All rows as CSV (RFC 4180)', text('text/csv'), parameters],
    ['ndjson', 'whole tables', 'All rows, one JSON object a line', text('application/x-ndjson'), parameters],
    ['atom', 'feeds', 'The first rows as an Atom feed', text('application/atom+xml'), parameters],
  ] as const;
  return kinds.map(([ending, tag, description, content, shape]) => [
    `/api/v1/questions/${name}${ending && `.${ending}`}`,
    {
      get: {
        operationId: ending === '' ? name : `${name}-${ending}`,
        summary: `${about.charAt(0).toUpperCase()}${about.slice(1)}.`,
        description,
        tags: [tag],
        parameters: parametersOf(shape as z.ZodObject),
        responses: { '200': { description, content }, ...refusals(...(ending === '' ? ['409'] : [])) },
      },
    },
  ]);
}

const jsonOf = (schema: Schema) => ({ 'application/json': { schema } });

const refused = {
  description: 'One line that describes the error',
  content: jsonOf({ $ref: '#/components/schemas/Refusal' }),
};

const refusals = (...more: readonly string[]) =>
  Object.fromEntries(
    [...more, '400', '401', '403', '404', '405', '421', '422', '429', '500', '503']
      .sort()
      .map((status) => [status, refused]),
  );

const named = (name: string) => name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
const rowName = ({ name }: Question) => `${named(name)}Row`;
const answerName = ({ name }: Question) => `${named(name)}Answer`;

function answerOf(question: Question): Schema {
  const rows = { ...Answer.properties.rows, items: { $ref: `#/components/schemas/${rowName(question)}` } };
  return { ...Answer, properties: { ...Answer.properties, version: { const: version }, rows } };
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
