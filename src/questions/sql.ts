/** A statement with separate values, created by the tag `sql`. Statements can be nested. */
export class Sql {
  readonly parts: readonly string[];
  readonly values: readonly unknown[];

  constructor(parts: readonly string[], values: readonly unknown[]) {
    this.parts = parts;
    this.values = values;
  }

  /** Text for the server, with values as `$1, $2, …`. */
  get text(): string {
    return this.parts.reduce((text, part, i) => `${text}$${i}${part}`);
  }

  /** Text to copy into any client: values as literals, without the indentation of the source. */
  get copy(): string {
    return outdented(this.parts.reduce((text, part, i) => text + literal(this.values[i - 1]) + part));
  }
}

/** Builds a statement. Interpolated values become parameters, never SQL text, unless they are `sql` themselves. */
export function sql(strings: TemplateStringsArray, ...given: readonly unknown[]): Sql {
  const parts: string[] = [strings[0]!];
  const values: unknown[] = [];
  given.forEach((value, i) => {
    const after = strings[i + 1]!;
    if (value instanceof Sql) {
      parts[parts.length - 1] += value.parts[0]!;
      parts.push(...value.parts.slice(1));
      values.push(...value.values);
      parts[parts.length - 1] += after;
    } else {
      values.push(value);
      parts.push(after);
    }
  });
  return new Sql(parts, values);
}

/** A name of this program as an identifier. */
export function named(name: string): Sql {
  if (!/^[a-z_0-9]+$/.test(name)) throw new Error(`not a name of a column: ${name}`);
  return new Sql([name], []);
}

type Perhaps = Sql | '' | null | false | undefined;

/** Joins conditions with `and`; `true` if there are none. */
export function allOf(...conditions: readonly Perhaps[]): Sql {
  const applying = conditions.filter((condition): condition is Sql => condition instanceof Sql);
  return applying.length === 0 ? sql`true` : applying.reduce((all, next) => sql`${all} and ${next}`);
}

/** The parts that apply, one behind the other. */
export const joined = (...parts: readonly Perhaps[]): Sql =>
  parts.reduce<Sql>((all, part) => (part instanceof Sql ? sql`${all}${part}` : all), sql``);

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return quoted(value.toISOString());
  if (Array.isArray(value)) return value.length === 0 ? "'{}'" : `array[${value.map(literal).join(', ')}]`;
  return quoted(String(value));
}

/** Backslashes are plain characters in standard SQL strings. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function outdented(text: string): string {
  const lines = text.replace(/^\s*\n|\s+$/g, '').split('\n');
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)![0].length));
  return lines.map((line) => line.slice(indent)).join('\n');
}
