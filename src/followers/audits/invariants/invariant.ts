/** A promise about the database that must hold whatever happened to processes, servers and the upstream. */
export interface Invariant {
  /** One sentence, as it should be. */
  readonly says: string;
  /** Rows that break it; none when it holds. */
  readonly sql: string;
  /** Holds once no crawl is under way; a crawl that was killed breaks it until the next command goes on with it. */
  readonly isAtRest?: boolean;
}
