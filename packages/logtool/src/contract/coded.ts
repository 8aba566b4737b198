import { z } from 'zod';

/** Data of a code that needs none. */
export const NoData = z.object({}).readonly();

/** One code with its data. */
export function coded<C extends string, D extends z.ZodType>(code: C, data: D) {
  return z.object({ code: z.literal(code), data });
}

/** Accepts a schema only if its values are exactly those of a type of `domain/`, which cannot import zod. */
export function sameAs<T>() {
  return <S extends z.ZodType<T>>(schema: [T] extends [z.infer<S>] ? S : never): S => schema;
}
