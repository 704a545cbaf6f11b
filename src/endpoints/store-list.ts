import { z } from 'zod';
import { QuestionInvalid } from '../errors.ts';
import type { Rejection, Store, StoreHours } from '../model/index.ts';
import { readOpeningHours } from '../normalise/opening-hours.ts';
import { readLabel } from '../normalise/text.ts';
import { defineEndpoint } from './define-endpoint.ts';
import { readElements } from './elements.ts';
import { enveloped, readEnvelope } from './envelope.ts';

export interface StoreQuestion {
  /** Decimal degrees. */
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusMiles: number;
}

const name = 'store-list';

/** The supermarket has about 3,000. */
const mostStores = 20_000;

const Answer = enveloped(
  z.object({ success: z.literal(true), data: z.object({ stores: z.array(z.unknown()).max(mostStores) }) }),
);

/** Stores around a coordinate. All three parameters are required and sent as text (specification, section 4.2). */
export const storeList = defineEndpoint<StoreQuestion, { readonly stores: readonly Store[] }>({
  name,
  listing: 'stores',
  region: null,
  paths: ['/store-list'],

  query({ latitude, longitude, radiusMiles }) {
    if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
      throw new QuestionInvalid(name, 'latitude runs from -90 to 90 and longitude from -180 to 180');
    }
    if (!(radiusMiles > 0 && Number.isFinite(radiusMiles)))
      throw new QuestionInvalid(name, 'the radius is a number of miles above 0');
    return { latitude: String(latitude), longitude: String(longitude), radius: String(radiusMiles) };
  },

  read(body) {
    const { data } = readEnvelope(name, Answer, body);
    const rejected: Rejection[] = [];
    const path = 'data.data.stores';
    const stores = new Map<string, Store>();
    for (const [index, element] of readElements(Element, Elements, data.data.stores, path, rejected).entries()) {
      if (element === null) continue;
      const store = toStore(element);
      if (store === null)
        rejected.push({ path: `${path}[${index}]`, reason: 'storeId: empty', value: data.data.stores[index] });
      else if (!stores.has(store.storeId)) stores.set(store.storeId, store);
    }
    return { records: { stores: [...stores.values()] }, rejected };
  },
});

const Fields = z.record(z.string(), z.unknown()).nullish();

const Element = z
  .object({
    storeId: z.union([z.string(), z.number()]),
    displayName: z.string(),
    storeType: z.unknown().optional(),
    latitude: z.number().nullish(),
    longitude: z.number().nullish(),
    isVirtual: z.boolean().nullish(),
    isCurbsideEnabled: z.boolean().nullish(),
    address: Fields,
    curbsideHours: Fields,
  })
  .nullable();
const Elements = z.array(Element);

function toStore(element: NonNullable<z.output<typeof Element>>): Store | null {
  const storeId = readLabel(String(element.storeId));
  const address = element.address ?? {};
  if (storeId === null) return null;
  return {
    storeId,
    name: readLabel(element.displayName) ?? storeId,
    storeType: readLabel(element.storeType),
    latitude: element.latitude ?? null,
    longitude: element.longitude ?? null,
    phone: readLabel(address['phone']),
    address1: readLabel(address['address1']),
    address2: readLabel(address['address2']),
    city: readLabel(address['city']),
    state: readLabel(address['state']),
    postalCode: readLabel(address['postalCode']),
    country: readLabel(address['country']),
    isVirtual: element.isVirtual ?? null,
    isCurbsideEnabled: element.isCurbsideEnabled ?? null,
    timeZone: readLabel(element.curbsideHours?.['timeZone']),
    curbsideHours: hoursOf(element.curbsideHours ?? {}),
  };
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
