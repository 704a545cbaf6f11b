/** Says whether a failed request may be tried again at once. When much fails, trying again makes it worse. */
export interface RetryBudget {
  succeeded(): void;
  /** Takes one retry from the budget; false when there is none. */
  take(): boolean;
}

/** Retries may be a tenth of the successes, and a few at any time. */
export function createRetryBudget({ share = 0.1, floor = 20, most = 100 } = {}): RetryBudget {
  let saved = floor;
  return {
    succeeded() {
      saved = Math.min(saved + share, most);
    },
    take() {
      if (saved < 1) return false;
      saved -= 1;
      return true;
    },
  };
}
