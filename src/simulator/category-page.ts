import { type Answer, invalidQuestion, success } from './answer.ts';
import type { Catalogue, Listing } from './catalogue.ts';
import { drift } from './drift.ts';
import { capped, distortListing, distortPage, type Page, pageOf } from './page-faults.ts';
import { ieNode, iePair, ukProduct } from './product-json.ts';
import type { Behaviour } from './settings.ts';
import type { RegionCode, TaxonomyNode } from './taxonomy.ts';
import type { Question, World } from './world.ts';

/**
 * `GET /category-page` and `/ireland-category-page`: one page of a category. Unknown categories and pages past the end
 * are empty.
 */
export function answerCategoryPage(region: RegionCode, question: Question, world: World): Answer {
  const { query, firings } = question;
  const categoryId = query.get('categoryId') ?? '';
  const pageNo = Number(query.get('pageNo') ?? '1');
  if (categoryId === '') return invalidQuestion('Category ID is required');
  if (categoryId.length > longestId[region]) {
    return invalidQuestion(`Category ID must be at most ${longestId[region]} characters`);
  }
  if (!Number.isInteger(pageNo) || pageNo < 1) return invalidQuestion('Page number must be a whole number from 1');

  const { behaviour } = world;
  const isSwapped = firings.some(({ rule }) => rule.kind === 'swappedRegion');
  const catalogue = world.catalogues[isSwapped ? otherRegion[region] : region];
  const day = world.dayOf(region);
  const node = catalogue.category(categoryId, day);
  const { pageSize } = behaviour;

  const whole = node ? catalogue.listing(node, day) : nothing;
  const most = behaviour.listingCap > 0 ? behaviour.listingCap : whole.total;
  const listing = distortListing(capped(whole, most), firings);
  const page = distortPage(pageOf(listing, pageNo, pageSize), listing, { pageNo, pageSize }, firings);
  const elements = writeElements(page, { catalogue, day, node, question, behaviour, region });
  const head = `{"categoryId":${JSON.stringify(categoryId)},"pageNo":${pageNo},"pageInformation":`;
  return region === 'uk'
    ? success(`${head}${ukPageInformation(page, pageNo, pageSize)},"products":[${elements}]}`)
    : success(
        `${head}${iePageInformation(page, pageNo, behaviour)},` +
          `"results":${ieResults(elements, page, pageNo, behaviour)}}`,
      );
}

/** The vendor refuses longer category ids. */
const longestId = { uk: 300, ie: 200 } as const;
const otherRegion = { uk: 'ie', ie: 'uk' } as const;
const nothing: Listing = {
  total: 0,
  slotAt() {
    throw new RangeError('nothing is listed here');
  },
};

interface Writing {
  readonly catalogue: Catalogue;
  readonly day: number;
  readonly node: TaxonomyNode | null;
  readonly question: Question;
  readonly behaviour: Readonly<Behaviour>;
  readonly region: RegionCode;
}

function writeElements(page: Page, { catalogue, day, node, question, behaviour, region }: Writing): string {
  const drifts = question.firings.filter(({ place }) => place === 'element');
  const write = (slot: number, index: number, extra: string): string => {
    if (slot < 0) return region === 'uk' || behaviour.ieShape === 'bare' ? 'null' : '{"node":null}';
    const product = catalogue.product(slot, day);
    const json = region === 'uk' ? ukProduct(product, extra) : ieElement(product, extra, shapeOf(behaviour, slot));
    if (drifts.length === 0) return json;
    const isSecondListing = node !== null && (slot < node.first || slot >= node.end);
    return drift(json, index, isSecondListing, drifts);
  };

  const ads = page.sponsored.map((slot, index) => `,"adId":"ad-${slot}-${index}"`);
  const slots = [...page.slots, ...page.sponsored];
  return slots.map((slot, index) => write(slot, index, ads[index - page.slots.length] ?? '')).join(',');
}

type ElementShape = 'node' | 'bare' | 'product';

function shapeOf({ ieShape }: Readonly<Behaviour>, slot: number): ElementShape {
  if (ieShape === 'mixed') return (['node', 'bare', 'product'] as const)[slot % 3]!;
  return ieShape === 'wrapped' ? 'node' : ieShape;
}

function ieElement(product: Parameters<typeof ieNode>[0], extra: string, shape: ElementShape): string {
  if (shape === 'product') return iePair(product, extra);
  return shape === 'node' ? `{"node":${ieNode(product, extra)}}` : ieNode(product, extra);
}

function ukPageInformation({ total, declared }: Page, pageNo: number, pageSize: number): string {
  return `{"totalResults":${total},"currentPage":${pageNo},"resultsOnPage":${declared},"resultsPerPage":${pageSize}}`;
}

function iePageInformation({ total, declared }: Page, pageNo: number, behaviour: Readonly<Behaviour>): string {
  const { pageSize } = behaviour;
  const rest = `"count":${declared},"pageSize":${pageSize},"offset":${(pageNo - 1) * pageSize}}`;
  if (behaviour.iePageInformation === 'null') return 'null';
  if (behaviour.iePageInformation === 'unsized') return `{"totalCount":${total},"pageNo":${pageNo}}`;
  return behaviour.iePageInformation === 'total'
    ? `{"total":${total},"page":${pageNo},${rest}`
    : `{"totalCount":${total},"pageNo":${pageNo},${rest}`;
}

function ieResults(elements: string, page: Page, pageNo: number, behaviour: Readonly<Behaviour>): string {
  if (behaviour.ieShape !== 'wrapped') return `[${elements}]`;
  return `{"pageInformation":${iePageInformation(page, pageNo, behaviour)},"results":[${elements}]}`;
}
