import type { z } from 'zod';
import type { Environment, Variable } from './environment.ts';

/** A variable in a table, in which it stands by its name. */
interface TypedVariable<Value = unknown> extends Omit<Variable, 'name'> {
  read(environment: Environment, name: string): Value;
}

type Table = Readonly<Record<string, TypedVariable>>;

/** A variable whose default is a value. */
export function preset<Value>(Type: z.ZodType<Value, string>, description: string, value: string) {
  const read = (environment: Environment, name: string) => environment.read(name, Type) ?? Type.parse(value);
  return { description, default: value, secret: false, read };
}

/** A variable without a default value; `unset` says what holds instead. */
export function plain<Value>(Type: z.ZodType<Value, string>, description: string, unset: string) {
  const read = (environment: Environment, name: string) => environment.read(name, Type);
  return { description, default: unset, secret: false, read };
}

export function secret(Type: z.ZodType<string, string>, description: string, unset: string) {
  const read = (environment: Environment, name: string) => environment.readSecret(name, Type);
  return { description, default: unset, secret: true, read };
}

/** The variables of a table, by the names that a person sets. */
export function named(table: Table, prefix = ''): Variable[] {
  return Object.entries(table).map(([name, variable]) => ({ name: `${prefix}${name}`, ...variable }));
}

/** The values of a table: `NIGHT_AT` is `nightAt`. */
export function readAll<Variables extends Table>(table: Variables, environment: Environment, prefix = '') {
  const values = Object.entries(table).map(([name, variable]) => [
    name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    variable.read(environment, `${prefix}${name}`),
  ]);
  return Object.fromEntries(values) as {
    readonly [Name in keyof Variables & string as CamelCase<Name>]: ReturnType<Variables[Name]['read']>;
  };
}

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>;
