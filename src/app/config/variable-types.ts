import { existsSync } from 'node:fs';
import { z } from 'zod';
import { bucketUrlPattern } from '../../base/bucket.ts';
import { type ExtraField, extraFieldTypes, RegionCode, regionCodes } from '../../base/model/index.ts';
import type { Area } from '../../crawl/plan/area.ts';
import { defaultNightTime, type NightTimes } from '../../crawl/run/night-time.ts';
import { ownSchema } from '../../db/schema-sources.ts';
import { longestKeyword } from '../../source/endpoints/index.ts';
import { isHost, parseBaseUrl, refuseIncomplete } from './base-url.ts';
import { rangeOf } from './trusted-proxies.ts';

/** A text that `read` turns into a value; the message of its error completes "the variable …". */
function readBy<Value>(read: (text: string) => Value) {
  return z.string().transform((text, context) => {
    try {
      return read(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  });
}

export function wholeNumber(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message);
}

/** A percentage, read as a fraction. */
export const Percent = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,6})?$/, 'must be a percentage such as 0.1')
  .transform((text) => Number(text) / 100)
  .refine((share) => share <= 1, 'must be at most 100');

export const LogLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
  error: 'must be trace, debug, info, warn, error, fatal or silent',
});

export const RedisUrl = serverUrl(
  /^rediss?:\/\/[^/?]+(\/\d*)?(\?|$)/i,
  'must be a URL such as redis://host:6379, or redis://host:6379/1 for a database of its own',
);

export const PostgresUrl = serverUrl(
  /^postgres(ql)?:\/\//i,
  'must be a URL such as postgres://user:password@host:5432/name',
).refine(
  (text) =>
    !URL.canParse(text) ||
    ['sslrootcert', 'sslcert', 'sslkey'].every((name) => existsSync(new URL(text).searchParams.get(name) ?? '.')),
  'names in sslrootcert, sslcert or sslkey a file that does not exist',
);

function serverUrl(protocol: RegExp, message: string) {
  return z.string().refine((text) => protocol.test(text) && URL.canParse(text), message);
}

export const ArchivePlace = z
  .string()
  .refine(
    (text) => ['file', 'off'].includes(text) || bucketUrlPattern.test(text),
    'must be file, off or a URL such as s3://bucket/prefix',
  );

export const ExportPlace = z
  .string()
  .refine(
    (text) => !isUrl(text) || bucketUrlPattern.test(text),
    'must be a folder or a URL such as s3://bucket/prefix',
  );

/** Any URL scheme counts, because a path with a scheme would create a folder of that name. */
export const isUrl = (text: string): boolean => /^[a-z0-9]+:\/\//i.test(text);

export const BaseUrlText = readBy(parseBaseUrl);

export const ServerAddress = readBy((text) => {
  refuseIncomplete(text);
  return text;
});

/** URL of a webhook, with a token of a chat tool in its path or query. */
export const ReceiverUrl = readBy((text) => {
  refuseIncomplete(text);
  const url = new URL(text);
  url.search = '';
  parseBaseUrl(url.href);
  return text;
});

export const HostOrAddress = z.string().refine(isHost, 'must be a host name or an IP address');

/** A key: printable ASCII without white space, as allowed in headers. */
export const HeaderValue = z
  .string()
  .regex(/^\S+$/, 'contains blanks or line ends; copy it again, as one line')
  .regex(/^[\x21-\x7e]+$/, 'contains characters that cannot be sent in a header');

export const HeaderPrefix = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*$/, 'must be the beginning of a header name, such as X-RapidAPI');

export const Tokens = z
  .string()
  .regex(/^\s*\S{20,}(\s+\S{20,})*\s*$/, 'must be tokens of at least 20 characters, separated by spaces');

export const Proxies = z
  .string()
  .transform((text) => text.trim().split(/[\s,]+/))
  .refine((proxies) => proxies.every(rangeOf), 'must be addresses, or ranges such as 10.0.0.0/8, separated by spaces');

/** The regions to crawl: distinct codes separated by commas. */
export const Regions = z
  .string()
  .transform((text) => text.split(',').map((code) => code.trim()))
  .refine((codes) => codes.every((code) => RegionCode.safeParse(code).success), 'must be uk, ie or uk,ie')
  .transform((codes) => regionCodes.filter((region) => codes.includes(region)));

/** Local times at which nights begin: one for all regions, or one for each, as in `uk=02:00,ie=03:30`. */
export const NightAt = readBy((text): NightTimes => {
  const times = text.split(',').map((each) => {
    const [, region, hour, minute] = /^(?:(uk|ie)=)?([01]\d|2[0-3]):([0-5]\d)$/.exec(each.trim()) ?? [];
    return { region, hour: Number(hour), minute: Number(minute) };
  });
  // Each region has one time, and a time without a region stands alone.
  const named = times.map(({ region }) => region);
  const areDistinct = new Set(named).size === named.length && (named.length === 1 || !named.includes(undefined));
  if (!areDistinct || times.some(({ hour }) => Number.isNaN(hour)))
    throw new Error('must be a time such as 02:00, or one by region such as uk=02:00,ie=03:30');
  const timeOf = (region: RegionCode) => {
    const { hour, minute } = times.find((each) => (each.region ?? region) === region) ?? defaultNightTime;
    return { hour, minute };
  };
  return { uk: timeOf('uk'), ie: timeOf('ie') };
});

/** Boxes `south,west,north,east` separated by `;`, with their canonical text, by which they are compared. */
export const StoreAreas = readBy((text) => {
  const areas = partsOf(text).map((box): Area => {
    const [south = Number.NaN, west = Number.NaN, north = Number.NaN, east = Number.NaN, ...others] = box
      .split(',')
      .map((number) => (number.trim() === '' ? Number.NaN : Number(number)));
    const isOnEarth = south >= -90 && south < north && north <= 90 && west >= -180 && west < east && east <= 180;
    if (!isOnEarth || others.length > 0) throw new Error(asBoxes);
    return { south, west, north, east };
  });
  if (areas.length === 0) throw new Error(asBoxes);
  return { areas, text: areas.map(({ south, west, north, east }) => [south, west, north, east].join(',')).join(';') };
});

const asBoxes = 'must be boxes of south,west,north,east in degrees, separated by `;`, none across the 180th meridian';

/** Great Britain with its islands, Northern Ireland, and Ireland. */
export const countries = StoreAreas.parse('49.8,-8.7,60.9,1.8;54,-8.2,55.4,-5.4;51.3,-10.7,55.5,-5.9');

/** Distinct keywords separated by `;`, in order. */
export const SearchKeywords = z
  .string()
  .transform((text) => [...new Set(partsOf(text))])
  .refine(
    (keywords) => keywords.every((keyword) => keyword.length <= longestKeyword),
    `must be keywords of at most ${longestKeyword} characters, separated by \`;\``,
  );

/** Fields separated by `;`, such as `rating=reviews.averageRating:number; display=displayType:text`. */
export const ExtraFields = readBy((text): readonly ExtraField[] => {
  const fields = partsOf(text).map((written): ExtraField => {
    const [, name = '', paths = '', type] = field.exec(written) ?? [];
    if (!paths.split('|').every((each) => path.test(each)))
      throw new Error(
        'must be fields such as rating=reviews.averageRating:number, separated by `;`; ' +
          `types are ${extraFieldTypes.join(', ')}, and a path has no list`,
      );
    return { name, paths: paths.split('|'), type: type as ExtraField['type'] };
  });
  if (new Set(fields.map(({ name }) => name)).size < fields.length)
    throw new Error('names a field twice; separate its paths by `|`');
  const taken = fields.find(({ name }) => isColumn(name));
  if (taken)
    throw new Error(`calls a field ${taken.name}, which is a column of products or marts; choose another name`);
  if (fields.length > 50) throw new Error('must name at most 50 fields');
  return fields;
});

/** Whether a mart has the name after a dot or `as`, or describes it. */
function isColumn(name: string): boolean {
  const column = new RegExp(`(?:\\.|\\bas )${name}\\b|^${name}: `, 'm');
  const marts = ownSchema().objects.filter((file) => file.name.startsWith('views/'));
  return marts.some(({ definition, remarks }) => column.test(definition) || column.test(remarks));
}

const field = new RegExp(`^([a-z][a-z0-9_]{0,62})=([^\\s:;]+):(${extraFieldTypes.join('|')})$`);
const path = /^[^.[\]]+(\.[^.[\]]+){0,19}$/;

function partsOf(text: string): string[] {
  const parts = text.split(';').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}
