import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dateOf, dayOf, localDayAt } from './calendar.ts';
import { type Catalogue, createCatalogue } from './catalogue.ts';
import { handleControl, isControl } from './control.ts';
import { createFaultBook, type FaultRule, readFaultRules } from './fault-rules.ts';
import { createGateway } from './gateway.ts';
import { createRequestLog, type LogReport } from './request-log.ts';
import {
  type Behaviour,
  type CatalogueOptions,
  changeBehaviour,
  defaultBehaviour,
  defaultCatalogue,
} from './settings.ts';
import type { SimulatedStore } from './store.ts';
import { openStores } from './stores.ts';
import type { RegionCode } from './taxonomy.ts';
import { type TruePackChange, truePackChanges } from './true-pack-changes.ts';
import { summarise, type TrueProduct, type TruthSummary, truth } from './truth.ts';
import type { World } from './world.ts';

export interface SimulatorOptions extends Partial<CatalogueOptions>, Partial<Behaviour> {
  /** 0 or nothing: any free one. */
  readonly port?: number;
  readonly host?: string;
  /** ISO date whose catalogue both regions show; without it, the regions' local date by `now`. */
  readonly date?: string;
  readonly now?: () => Date;
  /** Milliseconds by which paces are measured; by default those that pass. */
  readonly elapsedMs?: () => number;
  readonly faults?: readonly FaultRule[];
  /** How long an idle connection stays open. */
  readonly keepAliveTimeoutMs?: number;
}

/** The pretend upstream, listening. */
export interface Simulator {
  /** Base URL without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /**
   * Takes what `POST /__control` takes: `date`, `dates`, `faults`, `quotaUsed` and every setting of `Behaviour`; throws
   * `RangeError`.
   */
  change(change: SimulatorChange): void;
  state(): SimulatorState;
  /** The date each region shows now. */
  served(): Readonly<Record<RegionCode, string>>;
  /** What a faultless crawl of a date must find. */
  truth(region: RegionCode, date: string): Iterable<TrueProduct>;
  /** Packs that change in the days after the first and up to the last. */
  packChanges(region: RegionCode, first: string, last: string): Iterable<TruePackChange>;
  summary(region: RegionCode, date: string): TruthSummary;
  /** What a complete walk of the store locator must find now. */
  stores(): readonly SimulatedStore[];
  log(options?: { readonly full?: boolean; readonly times?: boolean }): LogReport;
  resetLog(): void;
  close(): Promise<void>;
}

export interface SimulatorChange extends Partial<Behaviour> {
  /** For both regions; null: back to the clock. */
  readonly date?: string | null;
  readonly dates?: Readonly<Partial<Record<RegionCode, string | null>>>;
  /** Replaces all rules. */
  readonly faults?: readonly FaultRule[];
  /** Requests of every listing's quota that are used up. */
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

/**
 * Starts a simulator of the whole interface: nine endpoints, both regions, both layers, on one port with its control
 * plane.
 */
export async function createSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const now = options.now ?? (() => new Date());
  const catalogueOptions = knownOf(defaultCatalogue, options);
  const behaviour: Behaviour = { ...defaultBehaviour };
  changeBehaviour(behaviour, knownOf({}, options, Object.keys(defaultBehaviour)));

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

  function served(): Record<RegionCode, string> {
    return { uk: dateOf(world.dayOf('uk')), ie: dateOf(world.dayOf('ie')) };
  }

  const controlled = {
    served,
    change({ date, dates = {}, faults: rules, quotaUsed, ...rest }: SimulatorChange) {
      // Everything is read before anything is changed.
      const moved = { ...(date === undefined ? {} : { uk: date, ie: date }), ...dates };
      const unknown = Object.keys(moved).find((region) => !Object.hasOwn(fixed, region));
      if (unknown !== undefined) throw new RangeError(`there is no region "${unknown}"`);
      if (quotaUsed !== undefined && !(Number.isInteger(quotaUsed) && quotaUsed >= 0)) {
        throw new RangeError(`quotaUsed cannot be ${JSON.stringify(quotaUsed)}`);
      }
      const days = Object.entries(moved).map(([region, to]) => [region, to === null ? null : dayOf(to)] as const);
      const read = rules === undefined ? null : readFaultRules(rules);
      changeBehaviour(behaviour, { ...rest });
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
    truth: (region: RegionCode, date: string) => truth(catalogues[region], dayOf(date)),
    packChanges: (region: RegionCode, first: string, last: string) =>
      truePackChanges(catalogues[region], dayOf(first), dayOf(last)),
    summary: (region: RegionCode, date: string) => summarise(catalogues[region], dayOf(date)),
    stores: () => openStores(world),
    log: log.report,
    resetLog: log.reset,
  };
  controlled.change({ date: options.date ?? null, faults: options.faults ?? [] });

  const server = createServer({ keepAliveTimeout: options.keepAliveTimeoutMs ?? 65_000 }, (request, response) => {
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
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The options that `defaults` (or `names`) know, over the defaults. */
function knownOf<T extends object>(defaults: T, options: object, names: readonly string[] = Object.keys(defaults)): T {
  const given = Object.entries(options).filter(([name, value]) => names.includes(name) && value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}
