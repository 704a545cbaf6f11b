/** Callbacks that record metrics. */
export interface Measure {
  /** A request has ended. `seconds`: until the last byte of the response; null: it was not sent. */
  request(ended: {
    readonly listing: string;
    readonly endpoint: string;
    readonly outcome: string;
    readonly seconds: number | null;
  }): void;
  /** A job has ended. `cut_off`: the process was asked to stop. */
  job(ended: { readonly job: string; readonly outcome: 'done' | 'failed' | 'cut_off'; readonly seconds: number }): void;
  /** A night was published or held. */
  publication(ended: { readonly region: string; readonly seconds: number }): void;
}

/** For commands without metrics. */
export const measureNothing: Measure = { request() {}, job() {}, publication() {} };
