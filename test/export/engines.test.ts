import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { dialects } from '../../build/lake/dialects.ts';
import { indexTables } from '../../build/lake/price-index.ts';
import { lakeViews } from '../../build/lake/views.ts';
import { useDatabase } from '../support/database.ts';
import { names, startClient, tools } from './clients.ts';
import { exporterTo, useFolders } from './lake.ts';
import { differences, martQuestions, rowsOfMart } from './lake-questions.ts';
import { fillPlainBook } from './plain-book.ts';

const engines = names.filter((name) => dialects.some((dialect) => dialect.name === name.toLowerCase()));
const cachedViews = ['night', 'offer', 'product_spell', 'category_set', 'daily_count', 'daily_move', 'daily_figure'];

/** Spark takes over a minute on two idle cores, which other files share. */
const timeout = 600_000;

describe.runIf(tools)('views over a lake in other engines (needs .ci/clients)', () => {
  const database = useDatabase();
  const folders = useFolders();

  beforeAll(async () => {
    await fillPlainBook(database.db);
    await exporterTo(database.db, folders).exportOwed(new AbortController().signal);
  });

  test.each(engines)('%s answers as the marts do, from the folder integrations/lake', { timeout }, async (name) => {
    const client = startClient(name, join(folders.lake, '..'), {});
    const dialect = dialects.find((one) => one.name === name.toLowerCase())!;
    if (name === 'DuckDB') await client.run(`set variable lake = '${folders.lake}'`);
    const runFile = async (file: string) => {
      for (const statement of file.replaceAll('/data/lake', folders.lake).split(';\n'))
        if (statement.replaceAll(/^--.*$/gm, '').trim()) await client.run(statement);
    };
    await runFile(lakeViews(dialect));
    // Otherwise Spark reads the small files of all nights again for every question.
    if (name === 'Spark') for (const view of cachedViews) await client.run(`cache table lake.${view}`);
    await runFile(indexTables(dialect));
    for (const question of martQuestions) {
      const found = await client.run(question.sql);
      expect(differences(found, await rowsOfMart(database.db, question)), question.name).toEqual([]);
      console.log(`${name}: ${question.name} equal (${found.length} rows)`);
    }
    client.close();
  });
});
