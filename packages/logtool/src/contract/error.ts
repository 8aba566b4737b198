import { z } from 'zod';

/** What went wrong, for a person: what, why, what to do next. Never holds a credential. */
export const WireError = z.object({
  /** Stable kebab-case name: `forbidden`, `context-not-found`, `unreachable`. */
  code: z.string(),
  /** What the code is about: each code has the same fields wherever it comes from. */
  data: z.record(z.string(), z.unknown()).optional(),
  what: z.string(),
  why: z.string().optional(),
  next: z.string().optional(),
  /** Where a right is missing: what was refused. */
  denied: z
    .object({
      verb: z.string(),
      resource: z.string(),
      namespace: z.string().optional(),
      name: z.string().optional(),
      /** The `kubectl auth can-i` line that checks it, to copy. */
      check: z.string(),
    })
    .optional(),
});
export type WireError = z.infer<typeof WireError>;

/** Body of every answer that is not 2xx. */
export const ErrorBody = z.object({ error: WireError });
export type ErrorBody = z.infer<typeof ErrorBody>;
