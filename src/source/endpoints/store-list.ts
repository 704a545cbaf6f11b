import { z } from 'zod';
import { RequestFailed } from '../../base/errors.ts';
import type { Rejection, Store } from '../../base/model/index.ts';
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
  readonly stores: readonly Store[];
}

const name = 'store-list';

/** Well above the real number of about 3,000 stores. */
const maxStores = 20_000;

const Answer = enveloped(
  z.object({ success: z.literal(true), data: z.object({ stores: z.array(z.unknown()).max(maxStores) }) }),
);

/** Stores around a coordinate. All three parameters are required strings (specification, section 4.2). */
export const storeList = defineEndpoint<StoreQuestion, StoreList>({
  name,
  listing: 'stores',
  region: null,
  paths: ['/store-list'],

  query({ latitude, longitude, radiusMiles }) {
    if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
      throw new RequestFailed('refused', {
        where: name,
        what: 'latitude runs from -90 to 90 and longitude from -180 to 180',
      });
    }
    if (!(radiusMiles > 0 && Number.isFinite(radiusMiles)))
      throw new RequestFailed('refused', { where: name, what: 'the radius must be a number of miles above 0' });
    return { latitude: String(latitude), longitude: String(longitude), radius: String(radiusMiles) };
  },

  read(body) {
    const { data } = readContract(name, Answer, body);
    const rejected: Rejection[] = [];
    const path = 'data.data.stores';
    const stores = new Map<string, Store>();
    for (const [index, element] of readElements(Element, data.data.stores, path, rejected).entries()) {
      if (element === null) continue;
      const found = toStore(element);
      if (found === null)
        rejected.push({
          path: `${path}[${index}]`,
          reason: 'storeId: empty or too long',
          value: data.data.stores[index],
        });
      else if (!stores.has(found.storeId)) stores.set(found.storeId, found);
    }
    return { records: { received: data.data.stores.length, stores: [...stores.values()] }, rejected };
  },
});

/** Only the id is required; other unreadable fields are null. */
const Element = z.looseObject({ storeId: z.union([z.string(), z.number()]) }).nullable();

/** Real ids have a few digits; the limit keeps the key indexable. */
const longestStoreId = 200;

function toStore(element: NonNullable<z.output<typeof Element>>): Store | null {
  const storeId = readLabel(String(element.storeId));
  if (storeId === null || storeId.length > longestStoreId) return null;
  const address = fieldsOf(element['address']);
  const hours = fieldsOf(element['curbsideHours']);
  return {
    storeId,
    displayName: readLabel(element['displayName']) ?? storeId,
    latitude: readDegrees(element['latitude'], 90),
    longitude: readDegrees(element['longitude'], 180),
    ...readFields(element, flags, (value) => (typeof value === 'boolean' ? value : null)),
    ...readFields(element, ['storeType', 'email', 'reservationSystem', 'reservationUrl'], readLabel),
    ...readFields(address, addressFields, readLabel),
    ...readFields(hours, ['closedDays', 'textColor', 'timeZone'], readLabel),
    curbsideHours: hoursOf(hours),
  };
}

const flags = [
  ...(['isBopisable', 'isRopisable', 'isCurbsideEnabled', 'isConciergeCurbsideEnabled'] as const),
  ...(['isNoShowFeeApplicable', 'isOnlineReservationEnabled', 'isVirtual'] as const),
];

const addressFields = [
  ...(['address1', 'address2', 'city', 'country', 'crossStreet', 'fax', 'mallName'] as const),
  ...(['phone', 'postalCode', 'state'] as const),
];

const readFields = <Name extends string, Value>(
  fields: Readonly<Record<string, unknown>>,
  names: readonly Name[],
  read: (value: unknown) => Value,
) => Object.fromEntries(names.map((name) => [name, read(fields[name])])) as Record<Name, Value>;

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

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

/** `Mon 08:00AM-10:00PM; Sun Closed`: as printed. */
function hoursOf(hours: Readonly<Record<string, unknown>>): string | null {
  const days = weekdays.flatMap((weekday) => {
    const printed = readLabel(hours[`${weekday}Hours`]);
    return printed === null ? [] : [`${weekday[0]!.toUpperCase()}${weekday.slice(1, 3)} ${printed}`];
  });
  return days.length === 0 ? null : days.join('; ');
}
