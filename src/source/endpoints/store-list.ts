import { z } from 'zod';
import { QuestionInvalid } from '../../base/errors.ts';
import type { FoundStore, Rejection, Store, StoreHours } from '../../base/model/index.ts';
import { readOpeningHours } from '../normalise/opening-hours.ts';
import { readLabel } from '../normalise/text.ts';
import { defineEndpoint } from './define-endpoint.ts';
import { readElements } from './elements.ts';
import { enveloped, readContract } from './envelope.ts';

export interface StoreQuestion {
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusMiles: number;
}

export interface StoreList {
  /** Number of elements in the response, including unreadable ones; it shows whether the response was truncated. */
  readonly received: number;
  /** Distinct stores in the order received. */
  readonly stores: readonly FoundStore[];
}

const name = 'store-list';

/** Well above the real number of about 3,000 stores. */
const mostStores = 20_000;

const Answer = enveloped(
  z.object({ success: z.literal(true), data: z.object({ stores: z.array(z.unknown()).max(mostStores) }) }),
);

/** Stores around a coordinate. All three parameters are required strings (specification, section 4.2). */
export const storeList = defineEndpoint<StoreQuestion, StoreList>({
  name,
  listing: 'stores',
  region: null,
  paths: ['/store-list'],

  query({ latitude, longitude, radiusMiles }) {
    if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
      throw new QuestionInvalid(name, 'latitude runs from -90 to 90 and longitude from -180 to 180');
    }
    if (!(radiusMiles > 0 && Number.isFinite(radiusMiles)))
      throw new QuestionInvalid(name, 'the radius must be a number of miles above 0');
    return { latitude: String(latitude), longitude: String(longitude), radius: String(radiusMiles) };
  },

  read(body) {
    const { data } = readContract(name, Answer, body);
    const rejected: Rejection[] = [];
    const path = 'data.data.stores';
    const stores = new Map<string, FoundStore>();
    for (const [index, element] of readElements(Element, data.data.stores, path, rejected).entries()) {
      if (element === null) continue;
      const found = toStore(element);
      if (found === null)
        rejected.push({
          path: `${path}[${index}]`,
          reason: 'storeId: empty or too long',
          value: data.data.stores[index],
        });
      else if (!stores.has(found.store.storeId)) stores.set(found.store.storeId, found);
    }
    return { records: { received: data.data.stores.length, stores: [...stores.values()] }, rejected };
  },
});

/** Only the id is required; other unreadable fields are null. */
const Element = z.looseObject({ storeId: z.union([z.string(), z.number()]) }).nullable();

/** Real ids have a few digits; the limit keeps the key indexable. */
const longestStoreId = 200;

function toStore(element: NonNullable<z.output<typeof Element>>): FoundStore | null {
  const storeId = readLabel(String(element.storeId));
  if (storeId === null || storeId.length > longestStoreId) return null;
  const address = fieldsOf(element['address']);
  const hours = fieldsOf(element['curbsideHours']);
  const store: Store = {
    storeId,
    displayName: readLabel(element['displayName']) ?? storeId,
    storeType: readLabel(element['storeType']),
    latitude: readDegrees(element['latitude'], 90),
    longitude: readDegrees(element['longitude'], 180),
    email: readLabel(element['email']),
    isBopisable: readFlag(element['isBopisable']),
    isRopisable: readFlag(element['isRopisable']),
    isCurbsideEnabled: readFlag(element['isCurbsideEnabled']),
    isConciergeCurbsideEnabled: readFlag(element['isConciergeCurbsideEnabled']),
    isNoShowFeeApplicable: readFlag(element['isNoShowFeeApplicable']),
    isOnlineReservationEnabled: readFlag(element['isOnlineReservationEnabled']),
    isVirtual: readFlag(element['isVirtual']),
    reservationSystem: readLabel(element['reservationSystem']),
    reservationUrl: readLabel(element['reservationUrl']),
    address1: readLabel(address['address1']),
    address2: readLabel(address['address2']),
    city: readLabel(address['city']),
    country: readLabel(address['country']),
    crossStreet: readLabel(address['crossStreet']),
    fax: readLabel(address['fax']),
    mallName: readLabel(address['mallName']),
    phone: readLabel(address['phone']),
    postalCode: readLabel(address['postalCode']),
    state: readLabel(address['state']),
    closedDays: readLabel(hours['closedDays']),
    textColor: readLabel(hours['textColor']),
    timeZone: readLabel(hours['timeZone']),
    curbsideHours: hoursOf(hours),
  };
  return { store, distance: readNumber(element['distance']) };
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const readFlag = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);

/** Reads a number or a numeric string. */
function readNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

function readDegrees(value: unknown, most: number): number | null {
  const degrees = readNumber(value);
  return degrees !== null && Math.abs(degrees) <= most ? degrees : null;
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function hoursOf(hours: Readonly<Record<string, unknown>>): readonly StoreHours[] {
  return weekdays.flatMap((weekday, index) => {
    const printed = readLabel(hours[`${weekday}Hours`]);
    if (printed === null) return [];
    const { opens, closes } = readOpeningHours(printed) ?? { opens: null, closes: null };
    return [{ weekday: index + 1, opens, closes, printed }];
  });
}
