import { z } from '@hono/zod-openapi';
import type { ResolveFailures } from '../domain/source-event.ts';
import { schemasOf } from './schemas-of.ts';

/** The data of each code between source arguments and containers. */
export const RESOLVE_DATA = schemasOf<ResolveFailures>()({
  'nodes-forbidden': z.object({
    fields: z.array(z.string()),
    refusal: z.object({ code: z.string(), data: z.unknown() }),
  }),
});
