/** A request that was received, and its response; status 0: none yet. */
interface Logged {
  readonly endpoint: string;
  readonly path: string;
  /** Monotonic time. */
  readonly atMs: number;
  status: number;
}

/** Requests received by the upstream. The last 250,000 are kept; counts include all. */
export type RequestLog = ReturnType<typeof createRequestLog>;

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
  /** Requests by host; the number of distinct hosts is limited. */
  readonly byHost: Readonly<Record<string, number>>;
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
  /** On demand. */
  readonly requests?: readonly { readonly path: string; readonly status: number; readonly atMs: number }[];
}

export function createRequestLog() {
  let log = empty();
  return {
    /** Records an arrival and returns its ticket. `host`: value of the host header. */
    arrive(host: string, request: Omit<Logged, 'status'>): Logged {
      // A client may send any host.
      const counted = log.hosts.has(host) || log.hosts.size < maxHosts ? host : 'others';
      const ticket = { ...request, status: 0 };
      if (log.kept.length === maxKept) log.kept.splice(0, maxKept / 2);
      log.kept.push(ticket);
      log.open.add(ticket);
      count(log.hosts, counted);
      log.total += 1;
      return ticket;
    },
    /** Records the response; status 0: none. */
    settle(ticket: Logged, status: number, isMetered: boolean): void {
      // Otherwise the request arrived before the last reset.
      if (!log.open.delete(ticket)) return;
      ticket.status = status;
      if (isMetered) log.metered += 1;
      const statuses = log.endpoints.get(ticket.endpoint) ?? new Map<number, number>();
      log.endpoints.set(ticket.endpoint, count(statuses, status));
    },
    report({ full = false }: { readonly full?: boolean } = {}): LogReport {
      const { total, metered, kept, hosts, endpoints } = log;
      return {
        total,
        metered,
        byEndpoint: Object.fromEntries([...endpoints].map(([name, statuses]) => [name, Object.fromEntries(statuses)])),
        byStatus: sumByStatus(endpoints),
        ...paceOf(kept.map(({ atMs }) => atMs)),
        byHost: Object.fromEntries(hosts),
        firstAtMs: kept[0]?.atMs ?? null,
        lastAtMs: kept.at(-1)?.atMs ?? null,
        ...(full ? { requests: kept.map(({ path, status, atMs }) => ({ path, status, atMs })) } : {}),
      };
    },
    reset(): void {
      log = empty();
    },
  };
}

const maxKept = 250_000;
const maxHosts = 100;

const empty = () => ({
  total: 0,
  metered: 0,
  kept: [] as Logged[],
  /** Requests without a response. */
  open: new Set<Logged>(),
  hosts: new Map<string, number>(),
  /** By endpoint and status. */
  endpoints: new Map<string, Map<number, number>>(),
});

function count<Key>(counts: Map<Key, number>, key: Key): Map<Key, number> {
  return counts.set(key, (counts.get(key) ?? 0) + 1);
}

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
