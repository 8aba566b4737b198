import type { z } from '@hono/zod-openapi';

/** The type with every field and list read-only: a schema's own types are not. */
type ReadonlyDeep<T> = T extends readonly (infer Element)[]
  ? readonly ReadonlyDeep<Element>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> }
    : T;

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** The codes whose schema is missing, belongs to no code, or has another type than the code's data. */
type Wrong<Codes, Schemas extends Readonly<Record<string, z.ZodType>>> =
  | Exclude<keyof Codes, keyof Schemas>
  | {
      [C in keyof Schemas]: C extends keyof Codes
        ? Same<ReadonlyDeep<z.output<Schemas[C]>>, ReadonlyDeep<Codes[C]>> extends true
          ? never
          : C
        : C;
    }[keyof Schemas];

/**
 * Checks schemas of the data of each code of an area. The compiler names a code whose schema is missing or
 * has another type.
 */
export function schemasOf<Codes>() {
  return <Schemas extends Readonly<Record<string, z.ZodType>>>(
    schemas: Schemas &
      ([Wrong<Codes, Schemas>] extends [never] ? unknown : { readonly wrong: Wrong<Codes, Schemas> }),
  ): Schemas => schemas;
}
