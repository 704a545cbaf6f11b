import { z } from 'zod';

/** Limit of the search endpoint: 1 to 200 characters. */
const longestKeyword = 200;

/** Distinct keywords separated by `;`, in order. */
export const SearchKeywords = z
  .string()
  .transform((text) => [
    ...new Set(
      text
        .split(';')
        .map((keyword) => keyword.trim())
        .filter(Boolean),
    ),
  ])
  .refine(
    (keywords) => keywords.every((keyword) => keyword.length <= longestKeyword),
    `must be keywords of at most ${longestKeyword} characters, separated by \`;\``,
  );
