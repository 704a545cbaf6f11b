import { type Answer, success, zodFailure } from './answer.ts';
import { happens, hash } from './hash.ts';
import { radians, type SimulatedStore, storesOf } from './store.ts';
import type { Question, World } from './world.ts';

/**
 * `GET /store-list`: stores within `radius` miles, nearest first. `storeCap` and
 * `storeRadiusCap` truncate the response silently, as real locators do.
 */
export function answerStoreList({ query }: Question, world: World): Answer {
  const wrong = ['latitude', 'longitude', 'radius'].filter((name) => !isNumber(query.get(name)));
  if (wrong.length > 0) return zodFailure(wrong.map((path) => ({ path, message: `${path} is required` })));

  const { storeCap, storeRadiusCap } = world.behaviour;
  const latitude = Number(query.get('latitude'));
  const longitude = Number(query.get('longitude'));
  const radius = Math.min(Number(query.get('radius')), storeRadiusCap || Number.POSITIVE_INFINITY);
  const near = openStores(world)
    .map((store) => ({ ...store, distance: miles(latitude, longitude, store.latitude, store.longitude) }))
    .filter(({ distance }) => distance <= radius)
    .sort((a, b) => a.distance - b.distance || a.storeId.localeCompare(b.storeId))
    .map((store) => ({ ...store, distance: Math.round(store.distance * 100) / 100 }));
  const shown = storeCap === 0 ? near : near.slice(0, storeCap);
  return success(JSON.stringify({ success: true, data: { stores: shown } }));
}

/** Expected result of a complete search: all open stores with current data. */
export function openStores({ seed, behaviour }: Pick<World, 'seed' | 'behaviour'>): readonly SimulatedStore[] {
  const { storesClosed, storesChanged } = behaviour;
  const stores = storesOf(seed);
  if (storesClosed === 0 && storesChanged === 0) return stores;
  return stores
    .filter((_, index) => !happens(storesClosed, hash(seed, 961, index)))
    .map((store) => (happens(storesChanged, hash(seed, 962, Number(store.storeId))) ? changed(store) : store));
}

/** Longer Sunday hours and a notice. */
function changed(store: SimulatedStore): SimulatedStore {
  const curbsideHours = { ...store.curbsideHours, sundayHours: '09:00AM-05:00PM', closedDays: 'Closed on 1 January' };
  return { ...store, curbsideHours };
}

/** Great-circle distance (haversine) with a mean radius of 3,958.8 miles. */
function miles(fromLatitude: number, fromLongitude: number, toLatitude: number, toLongitude: number): number {
  const haversine = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2;
  const narrowing = Math.cos(radians(fromLatitude)) * Math.cos(radians(toLatitude));
  const a = haversine(fromLatitude, toLatitude) + narrowing * haversine(fromLongitude, toLongitude);
  return 2 * 3958.8 * Math.asin(Math.sqrt(a));
}

function isNumber(value: string | null): boolean {
  return value !== null && value.trim() !== '' && Number.isFinite(Number(value));
}
