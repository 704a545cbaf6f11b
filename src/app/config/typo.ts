import { editsBetween } from '../../questions/nearest-names.ts';
import { listings } from '../../source/listings/index.ts';

const prefixesOfListings = Object.values(listings).map((listing) => listing.environmentPrefix);

/** Prefixes of own variables: an unknown variable with such a prefix is likely a typing mistake. */
const ourPrefixes = [...prefixesOfListings, 'PRICEBOOK', 'GATEWAY', 'ARCHIVE', 'REQUEST'];

/**
 * The known variable that `name` was probably meant to be; null if it is known, foreign or unlike all known names.
 * Other programs set variables as well, so only names with an own prefix are checked. All names in `.env` are own
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
  // At most a fifth of the letters may differ: REQUESTS_PER_SEC is a mistake, GATEWAY_URL is foreign. Short foreign
  // names may differ by one letter only: TEST is not HOST.
  const allowed = Math.max(isOurs ? 2 : 1, Math.floor(name.length / 5));
  return nearest && nearest.distance <= allowed ? nearest.candidate : null;
}

/**
 * A name that omits words, such as `GROCERY_QUOTA` for `GROCERY_MONTHLY_QUOTA`: its user relies on a limit that does
 * not exist.
 */
function leavesWordsOut(name: string, candidate: string): boolean {
  const words = candidate.split('_');
  return prefixesOfListings.some(
    (prefix) =>
      name.startsWith(`${prefix}_`) &&
      candidate.startsWith(`${prefix}_`) &&
      name.split('_').every((word) => words.includes(word)),
  );
}

/** Kubernetes and Docker set `<SERVICE>_SERVICE_HOST`, `<SERVICE>_PORT_80_TCP` … in every container. */
function isServiceLink(name: string): boolean {
  return /_(SERVICE_(HOST|PORT)|PORT)(_|$)/.test(name);
}
