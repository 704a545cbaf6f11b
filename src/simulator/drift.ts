import type { Firing } from './fault-rules.ts';
import { happens, hash } from './hash.ts';

/** Applies faults of place `element` to a written product (or Irish element). `index`: position on the page. */
export function drift(written: string, index: number, isSecondListing: boolean, firings: readonly Firing[]): string {
  return firings.reduce((json, { rule, draw }) => {
    // Affects `count` of the products of a page, or all.
    if (rule.count !== undefined && !happens(rule.count / 24, hash(draw, 711, index))) return json;
    if (rule.kind === 'badText') return json.replace(/"title":"/, `"title":"${badTexts[index % badTexts.length]}`);
    if (rule.kind === 'conflictingPrice' && !isSecondListing) return json;
    const element = JSON.parse(json) as Fields;
    mutate(element, rule.kind, rule.field ?? 'title', rule.to ?? 'name');
    return JSON.stringify(element);
  }, written);
}

type Fields = Record<string, unknown>;

/** JSON escapes: NUL, lone surrogate, byte order mark, right-to-left override, escape sequence. */
const badTexts = ['\\u0000', '\\ud800', '\\ufeff', '\\u202e', '\\u001b[31m'];

function mutate(element: Fields, kind: string, field: string, to: string): void {
  if (kind === 'movedField') moveTo(element, field.split('.'), to.split('.'));
  for (const holder of holdersOf(element)) {
    if (kind === 'renamedField' && Object.hasOwn(holder, field)) {
      holder[to] = holder[field];
      delete holder[field];
    }
    if (kind === 'nullTitle' && 'title' in holder) holder['title'] = null;
    if (kind === 'missingId') for (const name of ['id', 'tpnc']) if ('title' in holder) delete holder[name];
    if (kind === 'numericIds')
      for (const name of ids) if (typeof holder[name] === 'string') holder[name] = Number(holder[name]);
    for (const name of prices) {
      const price = holder[name];
      if (typeof price !== 'number') continue;
      if (kind === 'stringPrice') holder[name] = `£${price.toFixed(2)}`;
      if (kind === 'pencePrices') holder[name] = Math.round(price * 100);
      if (kind === 'negativePrice') holder[name] = -price;
      if (kind === 'conflictingPrice') holder[name] = Math.round(price * 100 + 1) / 100;
    }
  }
  if (kind === 'extraField') element['sustainability'] = { score: 4, badges: ['local', null] };
}

/** Moves a field of a product, wrapped in `node` or not, to another path; `[]` creates a list with one element. */
function moveTo(element: Fields, from: readonly string[], to: readonly string[]): void {
  const product = isFields(element['node']) ? element['node'] : element;
  const holder = from.slice(0, -1).reduce<unknown>((at, name) => (isFields(at) ? at[name] : undefined), product);
  const last = from.at(-1) ?? '';
  if (!isFields(holder) || !Object.hasOwn(holder, last)) return;
  const value = holder[last];
  delete holder[last];
  let at = product;
  for (const step of to.slice(0, -1)) {
    const name = step.replace('[]', '');
    const next = isFields(at[name]) ? at[name] : {};
    at[name] = step.endsWith('[]') ? [next] : next;
    at = next;
  }
  at[to.at(-1) ?? ''] = value;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ids = ['id', 'tpnb', 'tpnc', 'baseProductId'];
const prices = ['price', 'actual', 'unitPrice'];

/** The element and all objects within it, except promotions, whose prices are always null. */
function holdersOf(value: unknown): Fields[] {
  if (Array.isArray(value)) return value.flatMap(holdersOf);
  if (typeof value !== 'object' || value === null) return [];
  const fields = value as Fields;
  const inner = Object.entries(fields).filter(([name]) => name !== 'promotions' && name !== 'categoryBreadcrumbs');
  return [fields, ...inner.flatMap(([, child]) => holdersOf(child))];
}
