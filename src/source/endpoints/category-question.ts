import { QuestionInvalid } from '../../base/errors.ts';
import type { RegionCode } from '../../base/model/index.ts';
import { grocery } from '../listings/index.ts';

export interface CategoryQuestion {
  readonly categoryId: string;
  /** Starts at 1. */
  readonly pageNo: number;
}

/**
 * Query parameters of a category page. Throws `QuestionInvalid` if the id is too long for the region's endpoint or the
 * page is before the first.
 */
export function categoryQuery(endpoint: string, region: RegionCode, { categoryId, pageNo }: CategoryQuestion) {
  const longest = grocery.categoryIdMaxLength?.[region] ?? Number.POSITIVE_INFINITY;
  if (categoryId === '') throw new QuestionInvalid(endpoint, 'the category id is empty');
  if (categoryId.length > longest) {
    throw new QuestionInvalid(
      endpoint,
      `the category id has ${categoryId.length} characters, the maximum is ${longest}; use its parent or its children`,
    );
  }
  if (!Number.isSafeInteger(pageNo) || pageNo < 1) throw new QuestionInvalid(endpoint, 'pages count from 1');
  return { categoryId, pageNo: String(pageNo) };
}
