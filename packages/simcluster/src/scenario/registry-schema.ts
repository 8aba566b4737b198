import { z } from 'zod';
import { duration } from './container-schema.ts';

/** How pulls of some images fail, or how long they take. */
export const registry = z.strictObject({
  image: z.string().min(1).describe('images that this applies to; * stands for any part of a name'),
  answers: z
    .enum(['not-found', 'no-repository', 'denied', 'no-such-host', 'refused', 'busy'])
    .optional()
    .describe(
      'answer to a node that pulls one; no-repository: a wrong name; busy: 429, try again later. Default: the image',
    ),
  takes: duration.optional().describe('how long a pull takes; default: no time'),
  times: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('number of failing pulls of all nodes together; later ones succeed. Default: all'),
});
