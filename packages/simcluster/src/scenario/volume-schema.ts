import { z } from 'zod';
import { duration, name } from './container-schema.ts';

/** A claim with a volume that cannot be attached or mounted. */
export const volumeFault = z.strictObject({
  claim: name,
  fails: z
    .enum(['attach', 'multi-attach', 'mount'])
    .describe(
      'attach: the driver refuses; multi-attach: another node has it; mount: the node cannot mount it',
    ),
  text: z.string().optional().describe("the driver's own words"),
  from: duration.optional().describe('offset from the start of serving'),
  until: duration.optional(),
});
