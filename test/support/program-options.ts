import { type ParseArgsConfig, parseArgs } from 'node:util';

/** How an option is written: its placeholder in the usage, and its parser, which returns null for an invalid text. */
export interface Option<Value> {
  readonly placeholder: string | null;
  readonly fallback: Value;
  read(given: string): Value | null;
}

export const wholeNumber = (fallback: number, least = 1): Option<number> => ({
  placeholder: 'N',
  fallback,
  read: (given) => (/^\d{1,9}$/.test(given) && Number(given) >= least ? Number(given) : null),
});

export const wholeNumbers = (...fallback: readonly number[]): Option<readonly number[]> => {
  const each = wholeNumber(1);
  return {
    placeholder: 'N,N',
    fallback,
    read(given) {
      const read = given.split(',').map(each.read);
      return read.every((number) => number !== null) ? read : null;
    },
  };
};

/** One of these values; undefined if absent and without a default. */
export const oneOf = <Name extends string, Fallback extends Name | undefined>(
  names: readonly Name[],
  fallback: Fallback,
): Option<Name | Fallback> => ({
  placeholder: names.join('|'),
  fallback,
  read: (given) => names.find((name) => name === given) ?? null,
});

export const anyText = (placeholder: string): Option<string | undefined> => ({
  placeholder,
  fallback: undefined,
  read: (given) => given || null,
});

export const flag: Option<boolean> = { placeholder: null, fallback: false, read: () => true };

type Options = Readonly<Record<string, Option<unknown>>>;
type ValuesOf<Of extends Options> = {
  readonly [Name in keyof Of]: Of[Name] extends Option<infer Value> ? Value : never;
};

/**
 * What a program under `npm run` was told. A word it does not know or a value it cannot use ends it with exit code 2
 * and says which; --help shows its usage. A proof that was told nonsense would otherwise prove nothing, and pass.
 */
export function programOptions<Of extends Options>(program: string, options: Of): ValuesOf<Of> {
  const usage = `usage: npm run ${program} -- ${Object.entries(options)
    .map(([name, { placeholder }]) => `[--${name}${placeholder === null ? '' : ` ${placeholder}`}]`)
    .join(' ')}`;
  const given = givenTo(options, usage);
  if (given['help'] === true) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  const values = Object.entries(options).map(([name, option]) => {
    const text = given[name];
    if (text === undefined) return [name, option.fallback];
    const value = option.read(String(text));
    return value === null ? refuse(`--${name} cannot be "${text}".`, usage) : [name, value];
  });
  return Object.fromEntries(values);
}

function givenTo(options: Options, usage: string): Readonly<Record<string, unknown>> {
  const known: NonNullable<ParseArgsConfig['options']> = { help: { type: 'boolean' } };
  for (const [name, { placeholder }] of Object.entries(options)) {
    known[name] = { type: placeholder === null ? 'boolean' : 'string' };
  }
  try {
    return parseArgs({ options: known }).values;
  } catch (error) {
    return refuse((error as Error).message, usage);
  }
}

function refuse(why: string, usage: string): never {
  process.stderr.write(`${why}\n${usage}\n`);
  process.exit(2);
}
