import { z } from 'zod';

/** How pulls of some images fail. */
export const registry = z.strictObject({
  image: z.string().min(1).describe('images that this applies to; * stands for any part of a name'),
  answers: z
    .enum(['not-found', 'no-repository', 'denied', 'no-such-host', 'refused', 'busy'])
    .describe('answer to a node that pulls one; no-repository: a wrong name; busy: 429, try again later'),
  times: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('number of failing pulls of all nodes together; later ones succeed. Default: all'),
});
