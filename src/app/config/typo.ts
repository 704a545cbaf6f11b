import { editsBetween } from '../../questions/nearest-names.ts';
import { listings } from '../../source/listings/index.ts';

const prefixesOfListings = Object.values(listings).map((listing) => listing.environmentPrefix);

/** Prefixes that are ours: a variable that begins so and is nearly one we know is a typing mistake. */
const ourPrefixes = [...prefixesOfListings, 'PRICEBOOK', 'GATEWAY', 'ARCHIVE', 'REQUEST'];

/**
 * The known variable that `name` was probably meant to be; null when it is known, not ours, or like nothing we know.
 * The whole machine writes into the environment: there only what begins like ours can be meant for us. `.env` is ours
 * (`isOurFile`).
 */
export function meantVariable(name: string, known: readonly string[], isOurFile = false): string | null {
  const isOurs = ourPrefixes.some((prefix) => name.startsWith(prefix));
  if (known.includes(name) || isServiceLink(name) || !(isOurs || isOurFile)) return null;
  const shortened = known.find((candidate) => leavesWordsOut(name, candidate));
  if (shortened !== undefined) return shortened;
  const written = isOurFile ? name.toUpperCase() : name;
  const [nearest] = known
    .map((candidate) => ({ candidate, distance: editsBetween(written, candidate) }))
    .sort((a, b) => a.distance - b.distance);
  // A fifth of the letters: REQUESTS_PER_SEC is a mistake, GATEWAY_URL is somebody else's.
  // Among short names of others one letter is much: TEST is not HOST.
  const allowed = Math.max(isOurs ? 2 : 1, Math.floor(name.length / 5));
  return nearest && nearest.distance <= allowed ? nearest.candidate : null;
}

/** `GROCERY_QUOTA` of `GROCERY_MONTHLY_QUOTA`: a limit that somebody believes in. */
function leavesWordsOut(name: string, candidate: string): boolean {
  const words = candidate.split('_');
  return prefixesOfListings.some(
    (prefix) =>
      name.startsWith(`${prefix}_`) &&
      candidate.startsWith(`${prefix}_`) &&
      name.split('_').every((word) => words.includes(word)),
  );
}

/**
 * Kubernetes and Docker put `<SERVICE>_SERVICE_HOST`, `<SERVICE>_PORT_80_TCP` … into every container beside a service.
 */
function isServiceLink(name: string): boolean {
  return /_(SERVICE_(HOST|PORT)|PORT)(_|$)/.test(name);
}
