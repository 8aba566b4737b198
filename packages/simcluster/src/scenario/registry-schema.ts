import { z } from 'zod';

/** How pulls of some images end. */
export const registry = z.strictObject({
  image: z.string().min(1).describe('images that it is about; * stands for any part of a name'),
  answers: z
    .enum(['not-found', 'denied', 'no-such-host', 'refused', 'busy'])
    .describe('what a node hears that pulls one; busy: 429, come back later'),
  times: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('pulls that fail, all nodes together; the next ones succeed. All when left out'),
});
