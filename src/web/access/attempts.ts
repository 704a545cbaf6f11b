/** Wrong passwords per minute and address. */
const maxPerAddress = 5;
/** Wrong ones from all addresses together. */
const maxInAll = 100;
const minuteMs = 60_000;

/** Counts wrong passwords, minute by minute. */
export function createAttempts() {
  let endsAtMs = 0;
  let all = 0;
  const wrong = new Map<string, number>();
  const turn = () => {
    const nowMs = performance.now();
    if (nowMs < endsAtMs) return;
    endsAtMs = nowMs + minuteMs;
    all = 0;
    wrong.clear();
  };
  return {
    areTooMany(address: string): boolean {
      turn();
      return all >= maxInAll || (wrong.get(address) ?? 0) >= maxPerAddress;
    },
    add(address: string): void {
      turn();
      all += 1;
      wrong.set(address, (wrong.get(address) ?? 0) + 1);
    },
  };
}
