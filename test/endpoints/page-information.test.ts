import { expect, test } from 'vitest';
import { readPageInformation } from '../../src/source/endpoints/page-information.ts';
import cases from './page-information.json' with { type: 'json' };

// A row of page-information.json: what it shows, a page's counts as received, and as read: total, per page, declared.
test.each(cases.counts as [string, object, (number | null)[]][])(
  'counts of a page %s',
  (_, said, [total, perPage, declared]) => {
    expect(readPageInformation(said)).toEqual({
      declaredTotal: total,
      resultsPerPage: perPage,
      itemsDeclared: declared,
    });
  },
);
