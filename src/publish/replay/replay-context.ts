import { randomUUID } from 'node:crypto';
import type { RegionCode } from '../../base/model/index.ts';
import type { Archive } from '../../crawl/archive/archive.ts';
import { createIngest, type Ingest } from '../../crawl/ingest.ts';
import { quarantinePayload } from '../../crawl/stage/quarantine.ts';
import type { Database } from '../../db/client.ts';
import type { RegionEndpoints } from '../../source/endpoints/index.ts';
import { createShadowRuns, type ShadowRuns } from './shadow-run.ts';

/** Dependencies for parsing a night again. */
export interface ReplayContext extends ArchivedBook {
  /** Database whose `catalog`, `stage` and `ops` are the shadow's. */
  readonly shadow: Database;
  readonly shadowRuns: ShadowRuns;
  readonly workerId: string;
  readonly ingest: Ingest;
}

export interface ArchivedBook {
  /** The live database, which holds the received payloads. */
  readonly db: Database;
  readonly archive: Pick<Archive, 'get'>;
  readonly endpointsOf: Readonly<Record<RegionCode, RegionEndpoints>>;
}

/** Creates the dependencies for parsing archived nights into a shadow. */
export function createReplayContext({ db, archive, endpointsOf }: ArchivedBook, shadow: Database): ReplayContext {
  const workerId = randomUUID();
  return {
    db,
    archive,
    endpointsOf,
    shadow,
    workerId,
    shadowRuns: createShadowRuns(db, workerId),
    // Replayed payloads are already archived.
    ingest: createIngest({ archive: { put: async () => undefined }, onBroken: quarantinePayload(shadow) }),
  };
}
