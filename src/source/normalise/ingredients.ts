import { pattern } from './pattern.ts';
import { oneLine, withoutMarkup } from './text.ts';

export interface Ingredients {
  /** One line of plain text. */
  readonly text: string | null;
  /**
   * Text in bold, except statements such as "may contain". By law it names the allergens among the ingredients
   * (Regulation (EU) 1169/2011, article 21).
   */
  readonly bold: readonly string[];
}

/**
 * Ingredients from markup, or from a list that the upstream split at every comma, including decimal commas: `["rowan
 * juice (3", "5%)"]` is `rowan juice (3,5%)`.
 */
export function readIngredients(value: unknown): Ingredients {
  const markup = joined(value);
  if (markup === null) return { text: null, bold: [] };
  return { text: oneLine(withoutMarkup(markup)), bold: boldParts(markup) };
}

/**
 * Allergens contained in a product, lower case, sorted and distinct: from `allergenInfo` (`[{name: "Contains", values:
 * ["Milk"]}]`) and bold ingredients. Statements such as "may contain" and "free from" are ignored.
 */
export function readAllergens(allergenInfo: unknown, bold: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const add = (text: string) => {
    for (const part of text
      .slice(0, 2_000)
      .replace(otherStatements, ',')
      .replace(/\bcontains?\b:?/gi, ',')
      .split(/[,;()[\]{}*•.]|\band\b|\s\/\s/i)) {
      const name = (oneLine(part) ?? '').toLowerCase().replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
      if (name !== '' && name.length <= 60 && !isHeading(name)) found.add(name);
    }
  };
  if (Array.isArray(allergenInfo)) for (const entry of allergenInfo) for (const name of namesIn(entry)) add(name);
  for (const part of bold) if (!part.trim().endsWith(':')) add(part);
  return [...found].sort();
}

const longestMarkup = 40_000;
const mostParts = 2_000;

function joined(value: unknown): string | null {
  if (typeof value === 'string') return value.slice(0, longestMarkup);
  if (!Array.isArray(value)) return null;
  let text = '';
  for (const part of value.slice(0, mostParts)) {
    if (typeof part !== 'string') continue;
    const isDecimalComma = /\d$/.test(text) && /^\d/.test(part);
    const separator = text === '' ? '' : isDecimalComma ? ',' : /[,.;:]\s*$/.test(text) ? ' ' : ', ';
    text += separator + part;
    if (text.length > longestMarkup) break;
  }
  return text.slice(0, longestMarkup);
}

/** Contents of `<strong>` and `<b>` without inner markup; unclosed tags are ignored. */
function boldParts(markup: string): readonly string[] {
  const parts: string[] = [];
  let openedAt = -1;
  for (const tag of markup.matchAll(/<(\/?)(?:strong|b)(?:\s[^<>]*)?>/gi)) {
    if (tag[1] === '') {
      openedAt = tag.index + tag[0].length;
    } else if (openedAt >= 0) {
      const text = oneLine(withoutMarkup(markup.slice(openedAt, tag.index)));
      const before =
        markup
          .slice(Math.max(0, openedAt - 300), openedAt)
          .split(/<\/?(?:p|br|div|li)\b/i)
          .at(-1) ?? '';
      const isTitle = /^\s*:/.test(markup.slice(tag.index + tag[0].length, tag.index + tag[0].length + 20));
      if (text !== null && !isTitle && !cautions.test(withoutMarkup(before))) parts.push(text);
      openedAt = -1;
    }
  }
  return parts;
}

/** Phrases that do not state an ingredient: `may contain`, `traces of`, `packed in a factory that handles`. */
const caution = pattern`
    (?:also )?may (?:also )?contain|not suitable for|traces? of
    |(?:made|packed|produced|prepared|manufactured) (?:in|on|at) [^.;<]{0,40}?\b
    (?:factory|site|line|facility|environment|kitchen|area|premises|equipment)`;

/** A statement extends to the end of the sentence or to "contains"; after `no` and `without`, to the next comma. */
const otherStatements = new RegExp(
  pattern`
    \b(?:${caution}|free from|(?:does|do) not contain|for allergens)\b(?:(?!\bcontains\b)[^.;])*
    |\b(?:no|without)\b[^.;,]*|\b[\p{L}]+[- ]free\b`,
  'giu',
);
/** Whether the text ends within such a statement. */
const cautions = new RegExp(`\\b(?:${caution})\\b(?:[^.;)]|\\.(?=\\d))*$`, 'i');

const presence = /^(?:contains?|yes|present|allergens?|allergy (?:advice|information))$/i;

function namesIn(entry: unknown): readonly string[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { name, values } = entry as { name?: unknown; values?: unknown };
  const texts = (Array.isArray(values) ? values : [values]).filter((text): text is string => typeof text === 'string');
  const label = typeof name === 'string' ? name.trim() : '';
  if (/\b(?:may|free|not|no|without|suitable)\b/i.test(label)) return [];
  // Entries are `Contains: Milk, Wheat` or `Milk: Contains`.
  return texts.length > 0 && texts.every((text) => presence.test(text.trim())) ? [label] : texts;
}

const heading = new RegExp(pattern`
    ^(?:ingredients?|allerg(?:en|y)\b.*|contains?|may contain.*|for allergens.*|see .*|(?:in )?bold|including|of
    |with|also|from)$`);

function isHeading(name: string): boolean {
  return heading.test(name);
}
