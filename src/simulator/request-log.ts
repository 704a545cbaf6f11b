/** Requests received by the upstream. Memory is limited to a million requests and the paths of the first ones. */
export interface RequestLog {
  /** Records an arrival and returns its ticket. `atMs`: monotonic time. */
  arrive(request: {
    readonly listing: string;
    /** Value of the host header. */
    readonly host: string;
    readonly endpoint: string;
    readonly path: string;
    readonly atMs: number;
  }): number;
  /** Records the response; status 0: none. */
  settle(ticket: number, status: number, isMetered: boolean): void;
  report(options?: { readonly full?: boolean; readonly times?: boolean }): LogReport;
  reset(): void;
}

export interface LogReport {
  /** Requests since the last reset, without control requests. */
  readonly total: number;
  /** Requests counted against a quota. */
  readonly metered: number;
  /** Responses by endpoint and status; 0: none. */
  readonly byEndpoint: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Maximum in any sliding second, and mean rate from first to last, of the requests in memory. */
  readonly maxPerSecond: number;
  readonly averagePerSecond: number;
  readonly byListing: Readonly<Record<string, Pace>>;
  /** Requests by host; the number of distinct hosts is limited. */
  readonly byHost: Readonly<Record<string, number>>;
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
  /** On demand: arrival times in milliseconds after the first, and paths of the first requests. */
  readonly timesMs?: readonly number[];
  readonly requests?: readonly { readonly path: string; readonly status: number; readonly atMs: number }[];
}

export interface Pace {
  readonly total: number;
  readonly maxPerSecond: number;
  readonly averagePerSecond: number;
}

export function createRequestLog(): RequestLog {
  let times = new Float64Array(1024);
  let listings = new Uint8Array(1024);
  let names: string[] = [];
  let paths: { path: string; status: number; atMs: number }[] = [];
  let counts = new Map<string, Map<number, number>>();
  let endpoints = new Map<number, string>();
  let total = 0;
  let metered = 0;
  let perListing: number[] = [];
  let hosts = new Map<string, number>();

  function grow(): void {
    if (total < times.length || times.length >= remembered) return;
    const wider = new Float64Array(times.length * 4);
    wider.set(times);
    times = wider;
    const more = new Uint8Array(listings.length * 4);
    more.set(listings);
    listings = more;
  }

  /** Arrival times in memory, oldest first, of one listing or all. */
  function arrivals(listing: number | null): number[] {
    const kept = Math.min(total, times.length);
    const found: number[] = [];
    for (let index = total - kept; index < total; index += 1) {
      const place = index % times.length;
      if (listing === null || listings[place] === listing) found.push(times[place]!);
    }
    return found;
  }

  return {
    arrive({ listing, host, endpoint, path, atMs }) {
      grow();
      if (hosts.has(host) || hosts.size < rememberedHosts) hosts.set(host, (hosts.get(host) ?? 0) + 1);
      let number = names.indexOf(listing);
      if (number < 0) number = names.push(listing) - 1;
      const ticket = total;
      times[ticket % times.length] = atMs;
      listings[ticket % times.length] = number;
      perListing[number] = (perListing[number] ?? 0) + 1;
      total += 1;
      endpoints.set(ticket, endpoint);
      if (paths.length < rememberedPaths) paths.push({ path, status: 0, atMs });
      return ticket;
    },
    settle(ticket, status, isMetered) {
      const endpoint = endpoints.get(ticket);
      // The request arrived before the last reset.
      if (endpoint === undefined) return;
      endpoints.delete(ticket);
      const statuses = counts.get(endpoint) ?? new Map<number, number>();
      counts.set(endpoint, statuses.set(status, (statuses.get(status) ?? 0) + 1));
      if (isMetered) metered += 1;
      const request = paths[ticket];
      if (request) request.status = status;
    },
    report({ full = false, times: withTimes = false } = {}) {
      const all = arrivals(null);
      const first = all[0] ?? null;
      return {
        total,
        metered,
        byEndpoint: Object.fromEntries([...counts].map(([name, statuses]) => [name, Object.fromEntries(statuses)])),
        byStatus: sumByStatus(counts),
        ...paceOf(all),
        byListing: Object.fromEntries(
          names.map((name, index) => [name, { total: perListing[index] ?? 0, ...paceOf(arrivals(index)) }]),
        ),
        byHost: Object.fromEntries(hosts),
        firstAtMs: first,
        lastAtMs: all.at(-1) ?? null,
        ...(withTimes ? { timesMs: all.map((time) => Math.round((time - (first ?? 0)) * 1000) / 1000) } : {}),
        ...(full ? { requests: paths.map((request) => ({ ...request })) } : {}),
      };
    },
    reset() {
      times = new Float64Array(1024);
      listings = new Uint8Array(1024);
      names = [];
      paths = [];
      counts = new Map();
      endpoints = new Map();
      total = 0;
      metered = 0;
      perListing = [];
      hosts = new Map();
    },
  };
}

const remembered = 1_048_576;
const rememberedPaths = 20_000;
const rememberedHosts = 100;

function paceOf(times: readonly number[]): { maxPerSecond: number; averagePerSecond: number } {
  let most = 0;
  let from = 0;
  times.forEach((time, to) => {
    while (time - times[from]! >= 1000) from += 1;
    most = Math.max(most, to - from + 1);
  });
  const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return { maxPerSecond: most, averagePerSecond: spanMs > 0 ? ((times.length - 1) / spanMs) * 1000 : 0 };
}

function sumByStatus(counts: ReadonlyMap<string, ReadonlyMap<number, number>>): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const statuses of counts.values()) {
    for (const [status, count] of statuses) sums[status] = (sums[status] ?? 0) + count;
  }
  return sums;
}
