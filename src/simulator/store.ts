import { fraction, hash, pick } from './hash.ts';
import { type StorePlace, storePlaces } from './store-places.ts';

/** A store as the locator shows it, without distance. */
export type SimulatedStore = Readonly<Record<string, unknown>> & {
  readonly storeId: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly curbsideHours: Readonly<Record<string, string>>;
};

/** Stores of Great Britain, Northern Ireland and Ireland. */
const storeCount = 3_000;

const streets = [
  ...['High Street', 'Station Road', 'Market Place', 'Mill Lane', 'Church Street', 'Park Road', 'Queensway'],
  ...['London Road', 'Victoria Road', 'Green Lane', 'Manor Road', 'King Street', 'New Road', 'Bridge Street'],
];

const bySeed = new Map<number, readonly SimulatedStore[]>();

/** All stores for a seed. */
export function storesOf(seed: number): readonly SimulatedStore[] {
  const stores = bySeed.get(seed) ?? Array.from({ length: storeCount }, (_, index) => storeAt(seed, index));
  bySeed.set(seed, stores);
  return stores;
}

/** The first stores are of one town each, so that every town has one. */
function storeAt(seed: number, index: number): SimulatedStore {
  const place = storePlaces[index] ?? pick(byPeople, hash(seed, 954, index));
  const draw = hash(seed, 951, index);
  const storeId = String(2000 + index);
  const street = pick(streets, draw);
  const storeType = pick(['Superstore', 'Express', 'Express', 'Extra'], draw >>> 3);
  return {
    storeId,
    displayName: `${place.name} ${street} ${storeType}`,
    storeType,
    distance: 0,
    ...position(seed, index, place),
    // Some contain a postal address instead of an email address.
    email: index % 4 === 0 ? `${1 + (draw % 90)} ${street}` : `store${storeId}@stores.example`,
    isBopisable: draw % 2 === 0,
    isRopisable: draw % 3 === 0,
    isCurbsideEnabled: draw % 5 !== 0,
    isConciergeCurbsideEnabled: draw % 7 === 0,
    isNoShowFeeApplicable: false,
    isOnlineReservationEnabled: draw % 4 === 0,
    isVirtual: draw % 40 === 0,
    reservationSystem: pick(['NONE', 'QUEUE', 'SLOT'], draw),
    reservationUrl: draw % 4 === 0 ? `https://stores.example/reserve/${storeId}` : '',
    address: addressOf(place, draw, street),
    curbsideHours: hours(draw, place.country),
  };
}

/** Denser in the centre of a town, and on its side of the land. */
function position(seed: number, index: number, { latitude, longitude, thousands, inland }: StorePlace) {
  // A square mile of a town has about 11,650 people.
  const miles = Math.sqrt(thousands / (11.65 * Math.PI)) * fraction(hash(seed, 952, index)) ** 0.7;
  const turn = fraction(hash(seed, 953, index)) - 0.5;
  const bearing = radians(inland === null ? 360 * turn : inland + 140 * turn);
  const milesPerDegree = 69.1;
  const north = (miles * Math.cos(bearing)) / milesPerDegree;
  const east = (miles * Math.sin(bearing)) / (milesPerDegree * Math.cos(radians(latitude)));
  return { latitude: round(latitude + north), longitude: round(longitude + east) };
}

function addressOf({ city, state, country, postcode }: StorePlace, draw: number, street: string) {
  const letters = pick(postcodeLetters, draw >>> 6) + pick(postcodeLetters, draw >>> 11);
  const district = /\d$/.test(postcode) ? '' : 1 + (draw % 19);
  const code = country === 'GB' ? `${district} ${draw % 8}${letters}` : ` ${letters}${10 + (draw % 89)}`;
  return {
    address1: `${1 + (draw % 90)} ${street}`,
    address2: '',
    city,
    country,
    crossStreet: '',
    fax: '',
    mallName: draw % 6 === 0 ? `${city} Arcade` : '',
    phone: `0${String(1_000_000_000 + (draw % 899_999_999))}`,
    postalCode: postcode + code,
    state,
  };
}

const postcodeLetters = [...'ABDEFGHJLNPQRSTUWXYZ'];

function hours(draw: number, country: string): Record<string, string> {
  const weekday = pick(['08:00AM-10:00PM', '06:00AM-11:00PM', '07:30AM-09:30PM'], draw);
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
  return {
    ...Object.fromEntries(days.map((day) => [`${day}Hours`, weekday])),
    sundayHours: draw % 9 === 0 ? '12:00PM-12:00AM' : '10:00AM-04:00PM',
    closedDays: draw % 3 === 0 ? 'Closed on 25 December' : '',
    textColor: 'black',
    timeZone: country === 'GB' ? 'Europe/London' : 'Europe/Dublin',
  };
}

/** Each town once for a thousand people. */
const byPeople = storePlaces.flatMap((place) => Array.from({ length: place.thousands }, () => place));

export const radians = (degrees: number): number => (degrees * Math.PI) / 180;

const round = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
