/** Hears what happens in this process, and counts it. */
export interface Measure {
  /** A request has its outcome. `seconds`: from the request to the last byte of its answer; null: it never went out. */
  request(ended: {
    readonly listing: string;
    readonly endpoint: string;
    readonly outcome: string;
    readonly seconds: number | null;
  }): void;
  /** A job of a queue ended. `cut_off`: the process was asked to end meanwhile. */
  job(ended: { readonly job: string; readonly outcome: 'done' | 'failed' | 'cut_off'; readonly seconds: number }): void;
  /** A night was merged into the catalogue, or held. */
  publication(ended: { readonly region: string; readonly seconds: number }): void;
}

/** For commands that nobody watches. */
export const measureNothing: Measure = { request() {}, job() {}, publication() {} };
