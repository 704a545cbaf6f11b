import { createSimulator, type Simulator, type SimulatorOptions, simulatorHosts } from '../../src/simulator/index.ts';

/** Runs `use` with its own simulator. */
export async function withSimulator(options: SimulatorOptions, use: (simulator: Simulator) => Promise<void>) {
  const simulator = await createSimulator({ items: 300, date: '2026-03-01', ...options });
  try {
    await use(simulator);
  } finally {
    await simulator.close();
  }
}

export interface Said {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into undocumented payloads
  readonly body: any;
}

export interface Asking {
  readonly host?: string | null;
  readonly key?: string | null;
  readonly prefix?: string;
}

/** Sends a request as a subscriber of the grocery listing, with optional changes. */
export async function ask(simulator: Simulator, path: string, asking: Asking = {}): Promise<Said> {
  const { host = simulatorHosts.grocery, key = 'some-key', prefix = 'X-Gateway' } = asking;
  const response = await fetch(simulator.url + path, {
    redirect: 'manual',
    signal: AbortSignal.timeout(20_000),
    headers: {
      ...(key === null ? {} : { [`${prefix}-Key`]: key }),
      ...(host === null ? {} : { [`${prefix}-Host`]: host }),
    },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

export const taxonomyPath = { uk: '/get-category-id-for-uk', ie: '/get-category-ids-for-ireland' } as const;
const pagePath = { uk: '/category-page', ie: '/ireland-category-page' } as const;

export type Region = keyof typeof pagePath;

export function pageOf(region: Region, categoryId: string, pageNo = 1): string {
  return `${pagePath[region]}?categoryId=${encodeURIComponent(categoryId)}&pageNo=${pageNo}`;
}

export interface Category {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly children?: readonly (Category | null)[];
}

/** All categories of a region, parents first. */
export async function categoriesOf(simulator: Simulator, region: Region): Promise<Category[]> {
  const { body } = await ask(simulator, taxonomyPath[region]);
  const flatten = (node: Category | null): Category[] =>
    node === null ? [] : [node, ...(node.children ?? []).flatMap(flatten)];
  return (body.data.taxonomy as Category[]).flatMap(flatten);
}

export async function rootsOf(simulator: Simulator, region: Region): Promise<Category[]> {
  return (await categoriesOf(simulator, region)).filter(({ label }) => label === 'superDepartment');
}

// biome-ignore lint/suspicious/noExplicitAny: elements of undocumented payloads
export type Element = any;

/** Every element a category lists, read page by page until one is empty. */
export async function elementsOf(simulator: Simulator, region: Region, categoryId: string): Promise<Element[]> {
  const elements: Element[] = [];
  for (let pageNo = 1; ; pageNo += 1) {
    const { body } = await ask(simulator, pageOf(region, categoryId, pageNo));
    const page = elementsIn(body);
    if (page.length === 0) return elements;
    elements.push(...page);
  }
}

export function elementsIn(body: Element): Element[] {
  return body.data.products ?? body.data.results.results ?? body.data.results;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The keys of a British product, in the vendor's order. */
export const productKeys =
  'id tpnb gtin title brand isForSale imageUrl price promotions reviews categoryBreadcrumbs'.split(' ');
