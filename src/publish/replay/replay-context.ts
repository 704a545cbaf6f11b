import { randomUUID } from 'node:crypto';
import type { RegionCode } from '../../base/model/index.ts';
import type { Archive } from '../../crawl/archive/archive.ts';
import { createIngest, type Ingest } from '../../crawl/ingest.ts';
import { quarantinePayload } from '../../crawl/stage/quarantine.ts';
import type { Database } from '../../db/client.ts';
import type { RegionEndpoints } from '../../source/endpoints/index.ts';
import { createShadowRuns, type ShadowRuns } from './shadow-run.ts';

/** What reading one night again takes. */
export interface ReplayContext extends ArchivedBook {
  /** In which `catalog`, `stage` and `ops` are the shadow's. */
  readonly shadow: Database;
  readonly shadowRuns: ShadowRuns;
  readonly workerId: string;
  readonly ingest: Ingest;
}

export interface ArchivedBook {
  /** Live: what was received. */
  readonly db: Database;
  readonly archive: Pick<Archive, 'get'>;
  readonly endpointsOf: Readonly<Record<RegionCode, RegionEndpoints>>;
}

/** To read nights of a book again into a shadow of it. */
export function createReplayContext({ db, archive, endpointsOf }: ArchivedBook, shadow: Database): ReplayContext {
  const workerId = randomUUID();
  return {
    db,
    archive,
    endpointsOf,
    shadow,
    workerId,
    shadowRuns: createShadowRuns(db, workerId),
    // What is read again is in the archive already.
    ingest: createIngest({ archive: { put: async () => undefined }, onBroken: quarantinePayload(shadow) }),
  };
}
