import { format, headingOf } from '../../base/format.ts';
import { columnsOf } from '../../questions/columns.ts';
import type { Question } from '../../questions/question.ts';
import { titleOf } from './all-questions.tsx';
import { filters } from './blocks.tsx';
import type { Block, Page } from './page.ts';
import { type OfProduct, products } from './products.tsx';
import { table } from './table.tsx';

type Row = Readonly<Record<string, unknown>>;

/** What a row of products says of itself. */
const ofProduct = ['product_key', 'product_id', 'region', 'title'];

/** Form, and products or a table: the page of a question that has none of its own. */
export function genericPage(question: Question): Page {
  return { path: `/${question.name}`, question, title: () => titleOf(question), blocks: blocksOf(question) };
}

export const blocksOf = (of: Question): readonly Block<Row, Row>[] => [
  filters(...Object.keys(of.parameters.shape)),
  // A past night is a table: small charts and badges are of tonight.
  of.isWhole || of.isWalkedByKey || !ofProduct.every((name) => of.columns.some((column) => column.name === name))
    ? table()
    : productsOf(of),
];

/** Products with their small charts, and the columns of the terminal. */
const productsOf =
  (question: Question): Block<Row, Row> =>
  (page) => {
    const shown = columnsOf(question, ...question.table(page.parameters as never));
    const cells = shown
      .filter(({ name }) => !ofProduct.includes(name))
      .map((column) => ({ heading: headingOf(column), isNamed: true, show: (row: Row) => format(row, column) }));
    const list = products<OfProduct & Row, Row>({ title: '', cells });
    return list(page as Parameters<typeof list>[0]);
  };
