/** A share and the interval that holds it in 95 of 100 samples. */
export interface ShareEstimate {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** The interval of Wilson (1927), which keeps its promise for small samples and rare events (Brown, Cai and DasGupta, Statistical Science 2001). null without a sample. */
export function wilsonInterval(hits: number, asked: number): ShareEstimate | null {
  if (asked === 0) return null;
  const share = hits / asked;
  const z2 = z95 ** 2;
  const centre = (share + z2 / (2 * asked)) / (1 + z2 / asked);
  const half = (z95 / (1 + z2 / asked)) * Math.sqrt((share * (1 - share)) / asked + z2 / (4 * asked ** 2));
  return { share, low: hits === 0 ? 0 : centre - half, high: hits === asked ? 1 : centre + half };
}

const z95 = 1.959963984540054;

/** What a random sample of the products that a plan left out says of the changes it missed. */
export interface AuditFound {
  readonly asked: number;
  readonly changed: number;
  /** Products left out, over all nights of the sample. */
  readonly leftOut: number;
  /** Changes that the plan itself found in those nights. */
  readonly found: number;
}

/** Share of the detail changes that a plan missed: those among what it left out, of those and the ones it found. */
export function missedShare({ asked, changed, leftOut, found }: AuditFound): ShareEstimate | null {
  const stale = wilsonInterval(changed, asked);
  if (stale === null) return null;
  const ofAll = (share: number) => (share === 0 ? 0 : (share * leftOut) / (share * leftOut + found));
  return { share: ofAll(stale.share), low: ofAll(stale.low), high: ofAll(stale.high) };
}
