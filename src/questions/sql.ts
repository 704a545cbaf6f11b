/** Page size. One more row is requested to find out whether there is a next page. */
export class PageRows {
  readonly shown: number;

  constructor(shown: number) {
    this.shown = shown;
  }
}

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

  /** Values for the server. */
  get asked(): readonly unknown[] {
    return this.values.map((value) => (value instanceof PageRows ? value.shown + 1 : value));
  }

  /** Page size of a paginated table; null: all rows. */
  get rowsShown(): number | null {
    return this.values.find((value) => value instanceof PageRows)?.shown ?? null;
  }

  /** The same statement with another page size. */
  withRows(shown: number): Sql {
    return new Sql(
      this.parts,
      this.values.map((value) => (value instanceof PageRows ? new PageRows(shown) : value)),
    );
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

type Perhaps = Sql | '' | null | false | undefined;

/** Joins conditions with `and`; `true` if there are none. */
export function allOf(...conditions: readonly Perhaps[]): Sql {
  return joined(conditions, sql` and `) ?? sql`true`;
}

/** Intersection of statements; null if there are none. */
export function inAll(...statements: readonly Perhaps[]): Sql | null {
  return joined(statements, sql` intersect `);
}

function joined(parts: readonly Perhaps[], by: Sql): Sql | null {
  const applying = parts.filter((part): part is Sql => part instanceof Sql);
  return applying.length === 0 ? null : applying.reduce((all, next) => sql`${all}${by}${next}`);
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof PageRows) return String(value.shown);
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
