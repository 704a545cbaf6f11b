import { type Answer, success, zodFailure } from './answer.ts';
import { fraction, hash, pick } from './hash.ts';
import type { Question } from './world.ts';

/** `GET /store-list`: the shops within `radius` miles, nearest first (interface.md sections 2.1 and 4.2). */
export function answerStoreList({ query }: Question): Answer {
  const wrong = ['latitude', 'longitude', 'radius'].filter((name) => !isNumber(query.get(name)));
  if (wrong.length > 0) return zodFailure(wrong.map((path) => ({ path, message: `${path} is required` })));

  const latitude = Number(query.get('latitude'));
  const longitude = Number(query.get('longitude'));
  const radius = Number(query.get('radius'));
  const near = stores
    .map((store) => ({ ...store, distance: miles(latitude, longitude, store.latitude, store.longitude) }))
    .filter(({ distance }) => distance <= radius)
    .sort((a, b) => a.distance - b.distance || a.storeId.localeCompare(b.storeId));
  return success(JSON.stringify({ success: true, data: { stores: near } }));
}

type Store = Readonly<Record<string, unknown>> & {
  readonly storeId: string;
  readonly latitude: number;
  readonly longitude: number;
};

/** Some ninety shops around eighteen places of both regions, the same for every seed. */
const places: readonly (readonly [
  city: string,
  state: string,
  country: string,
  latitude: number,
  longitude: number,
])[] = [
  ['London', 'Greater London', 'GB', 51.5072, -0.1276],
  ['Croydon', 'Greater London', 'GB', 51.3762, -0.0982],
  ['Reading', 'Berkshire', 'GB', 51.4543, -0.9781],
  ['Bristol', '', 'GB', 51.4545, -2.5879],
  ['Cardiff', 'Wales', 'GB', 51.4816, -3.1791],
  ['Birmingham', 'West Midlands', 'GB', 52.4862, -1.8904],
  ['Norwich', 'Norfolk', 'GB', 52.6309, 1.2974],
  ['Manchester', 'Greater Manchester', 'GB', 53.4808, -2.2426],
  ['Leeds', 'West Yorkshire', 'GB', 53.8008, -1.5491],
  ['Newcastle upon Tyne', '', 'GB', 54.9783, -1.6178],
  ['Edinburgh', 'Scotland', 'GB', 55.9533, -3.1883],
  ['Glasgow', 'Scotland', 'GB', 55.8642, -4.2518],
  ['Belfast', 'Northern Ireland', 'GB', 54.5973, -5.9301],
  ['Dublin', 'Leinster', 'IE', 53.3498, -6.2603],
  ['Cork', 'Munster', 'IE', 51.8985, -8.4756],
  ['Galway', 'Connacht', 'IE', 53.2707, -9.0568],
  ['Limerick', 'Munster', 'IE', 52.6638, -8.6267],
  ['Letterkenny', 'Ulster', 'IE', 54.9558, -7.7342],
];

const shopsPerPlace = 5;
const stores: readonly Store[] = places.flatMap((place, index) =>
  Array.from({ length: shopsPerPlace }, (_, shop) => storeAt(place, index * shopsPerPlace + shop)),
);

function storeAt([city, state, country, latitude, longitude]: (typeof places)[number], index: number): Store {
  const draw = hash(7, 951, index);
  const isVirtual = draw % 40 === 0;
  const street = pick(['High Street', 'Station Road', 'Market Place', 'Mill Lane', 'Church Street'], draw);
  const phone = `0${String(1_000_000_000 + (draw % 899_999_999))}`;
  return {
    storeId: String(2000 + index),
    displayName: `${city} ${street}${index % 5 === 0 ? ' Superstore' : ''}`,
    storeType: pick(['Superstore', 'Express', 'Metro', 'Extra'], draw >>> 3),
    distance: 0,
    latitude: round(latitude + (fraction(hash(7, 952, index)) - 0.5) / 5, 5),
    longitude: round(longitude + (fraction(hash(7, 953, index)) - 0.5) / 4, 5),
    email: index % 4 === 0 ? `${1 + (draw % 90)} ${street}` : `store${2000 + index}@stores.example`,
    isBopisable: draw % 2 === 0,
    isRopisable: draw % 3 === 0,
    isCurbsideEnabled: draw % 5 !== 0,
    isConciergeCurbsideEnabled: draw % 7 === 0,
    isNoShowFeeApplicable: false,
    isOnlineReservationEnabled: draw % 4 === 0,
    isVirtual,
    reservationSystem: pick(['NONE', 'QUEUE', 'SLOT'], draw),
    reservationUrl: draw % 4 === 0 ? `https://stores.example/reserve/${2000 + index}` : '',
    address: {
      address1: `${1 + (draw % 90)} ${street}`,
      address2: '',
      city,
      country,
      crossStreet: '',
      fax: '',
      mallName: draw % 6 === 0 ? `${city} Arcade` : '',
      phone,
      postalCode: country === 'GB' ? `ZZ${1 + (draw % 9)} ${1 + (draw % 9)}ZZ` : `Z${10 + (draw % 89)} Z0Z0`,
      state,
    },
    curbsideHours: hours(draw, country),
  };
}

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

/** Great circle, haversine; the earth's mean radius is 3,958.8 miles. */
function miles(fromLatitude: number, fromLongitude: number, toLatitude: number, toLongitude: number): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const a =
    Math.sin(radians(toLatitude - fromLatitude) / 2) ** 2 +
    Math.cos(radians(fromLatitude)) *
      Math.cos(radians(toLatitude)) *
      Math.sin(radians(toLongitude - fromLongitude) / 2) ** 2;
  return round(2 * 3958.8 * Math.asin(Math.sqrt(a)), 2);
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

function isNumber(value: string | null): boolean {
  return value !== null && value.trim() !== '' && Number.isFinite(Number(value));
}
