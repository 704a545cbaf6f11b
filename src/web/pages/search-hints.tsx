import type { RegionCode } from '../../base/model/index.ts';
import type { HrefWith } from '../parts.tsx';
import { number, text } from '../words.ts';
import type { Parameters } from './products-queries.ts';
import type { Meant, NamedCategory, Try } from './search-hints-queries.ts';

/** Searches that find something where the words together find nothing. */
export function Tries({ of: tries, region }: { of: readonly Try[]; region: RegionCode }) {
  if (tries.length === 0) return null;
  return (
    <nav class="chips" aria-label="Simpler searches">
      <span class="quiet">Nothing has all the words. Try</span>
      {tries.map(({ words, products: found }) => (
        <a key={words} class="chip" href={`/products?q=${encodeURIComponent(words)}&region=${region}`}>
          {`${text(words)} ${number(found)}`}
        </a>
      ))}
    </nav>
  );
}

/** Searches with words of titles in place of those that no title has. */
export function DidYouMean(props: { p: Parameters; of: readonly Meant[]; hrefWith: HrefWith }) {
  const { p, of: meant, hrefWith } = props;
  if (meant.length === 0) return null;
  return (
    <nav class="chips" aria-label="Did you mean">
      <span class="quiet">
        {`No title has ${[...new Set(meant.map(({ word }) => `“${text(word)}”`))].join(' or ')}. Did you mean`}
      </span>
      {meant.map(({ word, nearest }) => (
        <a key={word + nearest} class="chip" href={hrefWith({ q: p.q!.replace(word, nearest), page: null })}>
          {text(nearest)}
        </a>
      ))}
    </nav>
  );
}

export function Named({ categories, hrefWith }: { categories: readonly NamedCategory[]; hrefWith: HrefWith }) {
  if (categories.length === 0) return null;
  // Of a category and one below it of the same name, the first has all.
  const named = new Map(categories.toReversed().map((category) => [shortPath(category.path), category]));
  return (
    <nav class="chips" aria-label="Categories of that name">
      <span class="quiet">Categories</span>
      {[...named].toReversed().map(([name, { category_key }]) => (
        <a key={category_key} class="chip" href={hrefWith({ category: category_key, q: null, sort: null, page: null })}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** `Soft Drinks › Cola`: the name and the one above it that says more. */
function shortPath(path: string): string {
  const names = path.split(' > ').map((name) => text(name.trim()));
  return names
    .filter((name, i) => name !== names[i + 1])
    .slice(-2)
    .join(' › ');
}
