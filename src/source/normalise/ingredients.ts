import { pattern } from './pattern.ts';
import { oneLine, withoutMarkup } from './text.ts';

export interface Ingredients {
  /** One line of plain text. */
  readonly text: string | null;
  /**
   * Text in bold, except headings and what a statement such as "may contain" names. By law it names the allergens among
   * the ingredients (Regulation (EU) 1169/2011, article 21).
   */
  readonly bold: readonly string[];
}

/**
 * Ingredients from markup, or from a list that the upstream split at every comma, including decimal commas: `["rowan
 * juice (3", "5%)"]` is `rowan juice (3,5%)`.
 */
export function readIngredients(value: unknown): Ingredients {
  const markup = joined(value).slice(0, longestMarkup);
  const bold = [...markup.replace(statements, ' ').matchAll(boldPart)].flatMap(([, part = '', colon]) => {
    const text = colon === undefined ? oneLine(withoutMarkup(part)) : null;
    return text === null || text.endsWith(':') ? [] : [text];
  });
  // A paragraph that ends before a comma leaves a space.
  return { text: oneLine(withoutMarkup(markup))?.replaceAll(' ,', ',') ?? null, bold };
}

const longestMarkup = 40_000;
const boldPart = /<(?:strong|b)(?:\s[^<>]*)?>(.{0,500}?)<\/(?:strong|b)>(\s*:)?/gis;

function joined(value: unknown): string {
  if (typeof value === 'string') return value;
  const parts = Array.isArray(value) ? value.slice(0, 2_000).filter((part) => typeof part === 'string') : [];
  return parts.reduce((text, part) => {
    const isDecimalComma = /\d$/.test(text) && /^\d/.test(part);
    const separator = text === '' ? '' : isDecimalComma ? ',' : /[,.;:]\s*$/.test(text) ? ' ' : ', ';
    return text.length > longestMarkup ? text : text + separator + part;
  }, '');
}

/**
 * Allergens contained in a product, lower case, sorted and distinct: from `allergenInfo` (`[{name: "Contains", values:
 * ["Milk"]}]`) and bold ingredients. Statements such as "may contain" and "free from" are ignored.
 */
export function readAllergens(allergenInfo: unknown, bold: readonly string[]): readonly string[] {
  const texts = [...(Array.isArray(allergenInfo) ? allergenInfo.flatMap(namesIn) : []), ...bold];
  const parts = texts.flatMap((text) =>
    text
      .slice(0, 2_000)
      .replace(statements, ',')
      .replace(/\bcontains?\b:?/gi, ',')
      .split(/[,;()[\]{}*•.]|\band\b|\s\/\s/i),
  );
  const names = parts.map((part) => (oneLine(part) ?? '').toLowerCase().replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''));
  return [...new Set(names.filter((name) => name !== '' && name.length <= 60 && !heading.test(name)))].sort();
}

/**
 * What does not state an ingredient, up to the end of its sentence, bracket or paragraph, or to "contains"; after `no`
 * and `without` up to the next comma.
 */
const statements = new RegExp(
  pattern`
    \b(?:(?:also )?may (?:also )?contain|not suitable for|traces? of|free from|(?:does|do) not contain|for allergens
    |(?:made|packed|produced|prepared|manufactured) (?:in|on|at) [^.;<]{0,40}?\b
    (?:factory|site|line|facility|environment|kitchen|area|premises|equipment))\b
    (?:(?!\bcontains\b|<\/?(?:p|br|div|li)\b)(?:[^.;)]|\.(?=\d)))*
    |\b(?:no|without)\b[^.;,]*|\b[\p{L}]+[- ]free\b`,
  'giu',
);

const presence = /^(?:contains?|yes|present|allergens?|allergy (?:advice|information))$/i;

/** Entries are `Contains: Milk, Wheat` or `Milk: Contains`. */
function namesIn(entry: unknown): readonly string[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { name, values } = entry as { name?: unknown; values?: unknown };
  const texts = (Array.isArray(values) ? values : [values]).filter((text): text is string => typeof text === 'string');
  const label = typeof name === 'string' ? name.trim() : '';
  if (/\b(?:may|free|not|no|without|suitable)\b/i.test(label)) return [];
  return texts.length > 0 && texts.every((text) => presence.test(text.trim())) ? [label] : texts;
}

const heading = new RegExp(pattern`
    ^(?:ingredients?|allerg(?:en|y)\b.*|contains?|may contain.*|for allergens.*|see .*|(?:in )?bold|including|of
    |with|also|from)$`);
