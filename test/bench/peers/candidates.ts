import { fileURLToPath } from 'node:url';

/** Inputs for a candidate that loads a night. */
export interface NightToLoad {
  readonly date: string;
  readonly upstream: string;
  /** Its own database. */
  readonly databaseUrl: string;
  /** Its own folder. */
  readonly home: string;
  /** Python of the environment that has the peers. */
  readonly python: string;
}

/** A program that loads a whole night into its own database. */
export interface Candidate {
  readonly name: string;
  command(night: NightToLoad): readonly string[];
  environment(night: NightToLoad): Readonly<Record<string, string>>;
  /** SQL: id, price in minor units and availability of each product listed on the night $1. */
  readonly listedOn: string;
}

export const pricebook: Candidate = {
  name: 'pricebook',
  command: ({ date }) => [
    ...[process.execPath, fileOf('../../../src/cli/pricebook.js'), '--now', `${date}T02:00:00Z`],
    ...['crawl', '--region', 'uk', '--max-details', '0'],
  ],
  environment: ({ upstream, databaseUrl, home }) => ({
    DATABASE_URL: databaseUrl,
    PRICEBOOK_HOME: home,
    GATEWAY_KEY: 'bench',
    GROCERY_BASE_URL: upstream,
    GROCERY_HOST: 'grocery.simulator',
    GROCERY_REQUESTS_PER_SECOND: '0',
    LOG_LEVEL: 'warn',
  }),
  listedOn: `
    select product_id as id, round(price * 100)::int as price, availability = 'available' as is_available
    from marts.as_of('uk', $1)`,
};

const environment: Candidate['environment'] = ({ upstream, databaseUrl, date, home }) => ({
  UPSTREAM: upstream,
  // SQLAlchemy knows the scheme by its long name only.
  DATABASE: databaseUrl.replace(/^postgres:/, 'postgresql:'),
  NIGHT: date,
  HOME_FOLDER: home,
});

export const dlt: Candidate = {
  name: 'dlt scd2',
  command: ({ python }) => [python, fileOf('dlt-night.py')],
  environment,
  listedOn: `
    select product_id::text as id, price_minor::int as price, is_for_sale as is_available from grocery.product
    where _dlt_valid_from <= $1::date and (_dlt_valid_to is null or _dlt_valid_to > $1::date)`,
};

export const plainScript: Candidate = {
  name: 'plain script',
  command: () => [process.execPath, fileOf('plain-night.js')],
  environment,
  listedOn: `
    select product_id::text as id, price_minor as price, is_for_sale as is_available from product_history
    where valid_from <= $1 and (valid_to is null or valid_to > $1)`,
};

/** Frameworks for crawling, with the script's schema and transaction. */
export const frameworks = ['Scrapy', 'Crawlee'].map(
  (name): Candidate => ({
    name,
    command: ({ python }) => [python, fileOf(`${name.toLowerCase()}_night.py`)],
    environment,
    listedOn: plainScript.listedOn,
  }),
);

function fileOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
