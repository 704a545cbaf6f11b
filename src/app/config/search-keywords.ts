import { z } from 'zod';

/** What the search endpoint takes: 1 to 200 characters (payloads of the listing). */
const longestKeyword = 200;

/** Keywords separated by `;`, each once, in the order written. */
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
