/** A property of the database that holds after any crash of processes, servers or the upstream. */
export interface Invariant {
  /** One sentence that states the property. */
  readonly says: string;
  /** Query of violating rows. */
  readonly sql: string;
  /** Holds only while no run is in progress; a killed crawl violates it until the next command continues the run. */
  readonly isAtRest?: boolean;
}
