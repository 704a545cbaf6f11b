import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dateOf, dayOf, localDayAt } from './calendar.ts';
import { type Catalogue, createCatalogue } from './catalogue.ts';
import { handleControl, isControl } from './control.ts';
import { createFaultBook, type FaultRule, readFaultRules } from './fault-rules.ts';
import { createGateway } from './gateway.ts';
import { createRequestLog } from './request-log.ts';
import { Behaviour, CatalogueOptions, changeBehaviour, readSettings } from './settings.ts';
import { openStores } from './stores.ts';
import type { RegionCode } from './taxonomy.ts';
import { summarise, type TrueProduct, truth } from './truth.ts';
import type { World } from './world.ts';

export interface SimulatorOptions extends Partial<CatalogueOptions>, Partial<Behaviour> {
  /** 0 or undefined: any free port. */
  readonly port?: number;
  readonly host?: string;
  /** ISO date of the catalogue of both regions; by default the regions' local date by `now`. */
  readonly date?: string;
  readonly now?: () => Date;
  /** Milliseconds for rate limits; by default elapsed real time. */
  readonly elapsedMs?: () => number;
  readonly faults?: readonly FaultRule[];
}

/** A running simulator. */
export type Simulator = Awaited<ReturnType<typeof createSimulator>>;

export interface SimulatorChange extends Partial<Behaviour> {
  /** For both regions; null: by the clock. */
  readonly date?: string | null;
  readonly dates?: Readonly<Partial<Record<RegionCode, string | null>>>;
  /** Replaces all rules. */
  readonly faults?: readonly FaultRule[];
  /** Used requests of every listing's quota. */
  readonly quotaUsed?: number;
}

export interface SimulatorState {
  readonly dates: Readonly<Record<RegionCode, string>>;
  readonly catalogue: CatalogueOptions;
  /** Without the key. */
  readonly behaviour: Omit<Behaviour, 'key'>;
  readonly faults: readonly (FaultRule & { readonly fired: number })[];
  readonly quotaUsed: Readonly<Record<string, number>>;
}

/** Starts a simulator with all nine endpoints, both regions and a control plane on one port. */
export async function createSimulator(options: SimulatorOptions = {}) {
  const now = options.now ?? (() => new Date());
  const catalogueOptions = readSettings(CatalogueOptions, options);
  const behaviour = readSettings(Behaviour, options);

  const fixed: Record<RegionCode, number | null> = { uk: null, ie: null };
  const catalogues: Record<RegionCode, Catalogue> = {
    uk: createCatalogue('uk', catalogueOptions, behaviour),
    ie: createCatalogue('ie', catalogueOptions, behaviour),
  };
  const world: World = {
    seed: catalogueOptions.seed,
    catalogues,
    behaviour,
    dayOf: (region) => fixed[region] ?? localDayAt(now()),
  };
  const faults = createFaultBook(catalogueOptions.seed);
  const log = createRequestLog();
  const gateway = createGateway({ world, faults, log, now, elapsedMs: options.elapsedMs ?? (() => performance.now()) });

  /** Current date of each region. */
  function served(): Record<RegionCode, string> {
    return { uk: dateOf(world.dayOf('uk')), ie: dateOf(world.dayOf('ie')) };
  }

  const controlled = {
    served,
    /** Applies a change as `POST /__control` does. Throws `RangeError`. */
    change({ date, dates = {}, faults: rules, quotaUsed, ...rest }: SimulatorChange): void {
      // Validates everything before changing anything.
      const moved = { ...(date === undefined ? {} : { uk: date, ie: date }), ...dates };
      const unknown = Object.keys(moved).find((region) => !Object.hasOwn(fixed, region));
      if (unknown !== undefined) throw new RangeError(`there is no region "${unknown}"`);
      if (quotaUsed !== undefined && !(Number.isInteger(quotaUsed) && quotaUsed >= 0)) {
        throw new RangeError(`quotaUsed cannot be ${JSON.stringify(quotaUsed)}`);
      }
      const days = Object.entries(moved).map(([region, to]) => [region, to === null ? null : dayOf(to)] as const);
      const read = rules === undefined ? null : readFaultRules(rules);
      changeBehaviour(behaviour, rest);
      for (const [region, day] of days) fixed[region as RegionCode] = day;
      if (read) faults.set(read);
      if (quotaUsed !== undefined) gateway.setUsed(quotaUsed);
    },
    state(): SimulatorState {
      const { key: _secret, ...shown } = behaviour;
      return {
        dates: served(),
        catalogue: catalogueOptions,
        behaviour: shown,
        faults: faults.state(),
        quotaUsed: gateway.used(),
      };
    },
    /** Expected result of a faultless crawl on a date. */
    truth: (region: RegionCode, date: string): Iterable<TrueProduct> => truth(catalogues[region], dayOf(date)),
    summary: (region: RegionCode, date: string) => summarise(catalogues[region], dayOf(date)),
    /** Expected result of a complete search of the store locator. */
    stores: () => openStores(world),
    log: log.report,
    resetLog: log.reset,
  };
  controlled.change({ date: options.date ?? null, faults: options.faults ?? [] });

  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    if (isControl(request.url ?? '')) void handleControl(request, response, controlled);
    else gateway.handle(request, response);
  });
  const host = options.host ?? '127.0.0.1';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    ...controlled,
    /** Base URL without trailing slash. */
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    close: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
