import { z } from 'zod';

/** What stands for a code that only a newer server knows. */
export const NEWER = 'code-of-a-newer-server';

/** A value of a schema in which one code may be replaced. */
export interface Sample {
  /** Where the code is: `data.reason`. */
  readonly path: string;
  /** The code of this value, and the others that the schema allows in that position. */
  readonly known: readonly string[];
  /** Returns the value with another code in that position. */
  readonly with: (code: string) => unknown;
}

/**
 * Returns values that contain each code of a schema: literals and enumerations, at any depth. Each value has all
 * properties, or none of the optional ones. `fixed`: schemas that many others contain, each with its only value.
 */
export function samplesOf(
  schema: z.ZodType,
  fixed: ReadonlyMap<unknown, unknown> = new Map(),
): readonly Sample[] {
  const root = z.toJSONSchema(schema, {
    unrepresentable: 'any',
    reused: 'inline',
    io: 'output',
    override: ({ zodSchema: inner, jsonSchema }) => {
      const zodSchema: unknown = inner;
      if (zodSchema === schema || !fixed.has(zodSchema)) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      jsonSchema.const = fixed.get(zodSchema) as never;
      jsonSchema.isFixed = true;
    },
  }) as Schema;
  const seen = new Set<string>();
  return new Reader(root).valuesOf(root, 0).flatMap((value) =>
    codesIn(value, '').flatMap(({ path, code }) => {
      const key = JSON.stringify([path, plain(value, code, '')]);
      if (seen.has(key)) return [];
      seen.add(key);
      return [{ path, known: code.known, with: (text: string) => plain(value, code, text) }];
    }),
  );
}

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly const?: unknown;
  readonly isFixed?: boolean;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly pattern?: string;
}

/** A code in a value. */
class Code {
  readonly text: string;
  readonly known: readonly string[];

  constructor(text: string, known: readonly string[]) {
    this.text = text;
    this.known = known;
  }
}

const TIME = '2026-01-02T03:04:05.000000006Z';
/** A schema may contain itself: an error that another one caused. */
const MAX_DEPTH = 12;

class Reader {
  readonly #root: Schema;

  constructor(root: Schema) {
    this.#root = root;
  }

  /** Returns one value for each choice that the schema leaves; the first choice everywhere else. */
  valuesOf(schema: Schema, depth: number, siblings: readonly string[] = []): readonly unknown[] {
    if (depth > MAX_DEPTH) return [];
    if (schema.$ref !== undefined) return this.valuesOf(this.#target(schema.$ref), depth + 1, siblings);
    const branches = schema.anyOf ?? schema.oneOf;
    if (branches !== undefined) return this.#valuesOfUnion(branches, depth);
    if (typeof schema.const === 'object' || schema.isFixed === true) return [schema.const];
    const codes = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
    if (codes !== undefined) return codes.map((code) => codeOf(code, [...codes, ...siblings]));
    if (schema.type === 'object') return this.#valuesOfObject(schema, depth);
    if (schema.type === 'array') return this.valuesOf(schema.items ?? {}, depth + 1).map((item) => [item]);
    return SCALARS[schema.type ?? ''] ?? ['text'].map((text) => (isTime(schema) ? TIME : text));
  }

  #target(ref: string): Schema {
    const name = ref.split('/').at(-1) ?? '';
    const found = ref === '#' ? this.#root : this.#root.$defs?.[name];
    if (found === undefined) throw new Error(`no schema ${ref}`);
    return found;
  }

  #valuesOfUnion(branches: readonly Schema[], depth: number): readonly unknown[] {
    const whole = branches.map((branch) => (branch.$ref === undefined ? branch : this.#target(branch.$ref)));
    return whole.flatMap((branch) => {
      const { properties } = branch;
      if (properties === undefined) return this.valuesOf(branch, depth + 1);
      const siblings = (name: string) =>
        whole.flatMap((other) => other.properties?.[name]?.const ?? []).map(String);
      return this.#valuesOfObject(branch, depth + 1, siblings);
    });
  }

  #valuesOfObject(
    { properties = {}, required = [] }: Schema,
    depth: number,
    siblingsOf: (name: string) => readonly string[] = () => [],
  ): readonly unknown[] {
    const choices = Object.entries(properties).map(
      ([name, schema]) => [name, this.valuesOf(schema, depth + 1, siblingsOf(name))] as const,
    );
    const base = Object.fromEntries(
      choices.flatMap(([name, [first]]) => (first === undefined ? [] : [[name, first]])),
    );
    const others = choices.flatMap(([name, [, ...rest]]) =>
      rest.map((value) => ({ ...base, [name]: value })),
    );
    const least = Object.fromEntries(Object.entries(base).filter(([name]) => required.includes(name)));
    return [base, least, ...others];
  }
}

const SCALARS: Readonly<Record<string, readonly unknown[]>> = {
  number: [1],
  integer: [1],
  boolean: [true, false],
  null: [null],
};

function isTime({ pattern }: Schema): boolean {
  return pattern !== undefined && new RegExp(pattern).test(TIME);
}

function codeOf(code: unknown, known: readonly unknown[]): unknown {
  return typeof code === 'string' ? new Code(code, [...new Set(known.map(String))]) : code;
}

function codesIn(value: unknown, path: string): readonly { readonly path: string; readonly code: Code }[] {
  if (value instanceof Code) return [{ path, code: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    codesIn(inner, path === '' ? name : `${path}.${name}`),
  );
}

/** Returns the value as JSON has it, with `text` in place of one code. */
function plain(value: unknown, replaced: Code | undefined, text: string): unknown {
  if (value instanceof Code) return value === replaced ? text : value.text;
  if (Array.isArray(value)) return value.map((item) => plain(item, replaced, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, plain(inner, replaced, text)]),
  );
}
