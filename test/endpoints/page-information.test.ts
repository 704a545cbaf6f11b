import { expect, test } from 'vitest';
import { readPageInformation } from '../../src/source/endpoints/page-information.ts';

test.each([
  ['are read under any of their names', { totalCount: 30, pageSize: 24, count: 6 }, [30, 24, 6]],
  ['are read as text, too', { totalResults: '30', resultsPerPage: '24', resultsOnPage: '6' }, [30, 24, 6]],
  [
    'count as not said where no supermarket has as many',
    { total: 10_000_001, pageSize: 1_001, count: 1_001 },
    [null, null, null],
  ],
  ['say nothing of how many a page holds where that is none', { total: 0, pageSize: 0, count: 0 }, [0, null, 0]],
  ['count as not said where no column holds them', { total: 2 ** 53, pageSize: 40_000, count: -1 }, [null, null, null]],
  [
    'are taken from the next name where one says nothing',
    { totalResults: 5e9, total: 30, resultsPerPage: null },
    [30, null, null],
  ],
])('counts of a page %s', (_, said, [total, perPage, declared]) => {
  expect(readPageInformation(said)).toEqual({ declaredTotal: total, resultsPerPage: perPage, itemsDeclared: declared });
});
