import { z } from 'zod';
import { AGENT_LACKS, type SentNotice } from '../domain/notice.ts';
import { LongLine, NamedContainer } from './answer-failures.ts';
import { NoData, sameAs } from './coded.ts';
import { WireError } from './error.ts';
import { Why } from './kube-problems.ts';
import { FilteredOut, NameList, NoneOfKind, NoPods, Scope, texts } from './resolve-failures.ts';

const ofNotice = {
  type: z.literal('notice'),
  /** LogQuery.id */
  q: z.int().nonnegative(),
  /** The failure that caused the notice. */
  cause: WireError.optional(),
};
type OfNotice = z.infer<z.ZodObject<typeof ofNotice>>;

function notice<C extends string, D extends z.ZodType>(code: C, data: D) {
  return z.object({ ...ofNotice, code: z.literal(code), data });
}

const watched = { type: z.string(), scope: Scope };
const why = Why.optional();

const unknownOf = { fields: texts, pods: NameList, total: z.number() };
const UnknownPlacements = z.discriminatedUnion('effect', [
  z.object({ effect: z.literal('left-out'), ...unknownOf }),
  z.object({ effect: z.literal('left-out-later'), fields: texts, pod: z.string() }),
  z.object({ effect: z.literal('unknown'), groups: z.array(z.object(unknownOf)).readonly() }),
]);

const factSource = z.object({
  of: z.enum(['events', 'workloads', 'nodes', 'autoscalers']),
  namespace: z.string().optional(),
});

/** Something that a reader should know and that ends nothing: each code with its data. */
export const CodedNotice = sameAs<OfNotice & SentNotice>()(
  z.discriminatedUnion('code', [
    notice('run-removed', z.object({ container: NamedContainer })),
    notice('line-cut', z.object({ container: NamedContainer, lines: z.number(), limitBytes: z.number() })),
    notice('context-cut', z.object({ container: NamedContainer, at: z.string(), lost: z.number() })),
    notice('long-lines', LongLine),
    notice('in-turns', z.object({ limit: z.number(), total: z.number() })),
    notice('no-temporary-file', z.object({ why: z.string(), containers: z.number() })),
    notice('search-limit', z.object({ at: z.string() })),
    notice('clock-set-back', z.object({ container: NamedContainer })),
    notice('node-files-refused', z.object({ node: z.string(), why: z.enum(['forbidden', 'disabled']) })),
    notice(
      'agent-not-read',
      z.object({
        why: z.enum(AGENT_LACKS),
        node: z.string().optional(),
        namespace: z.string().optional(),
      }),
    ),
    notice('namespace-not-found', z.object({ namespace: z.string() })),
    notice('namespace-forbidden', z.object({ namespace: z.string() })),
    notice('owners-forbidden', NoData),
    notice('nodes-forbidden', UnknownPlacements),
    notice('no-pods', NoPods),
    notice('none-of-kind', NoneOfKind),
    notice('filter-leaves-none', FilteredOut),
    notice('polling', z.object({ ...watched, isForbidden: z.boolean() })),
    notice('retrying', z.object({ ...watched, why })),
    notice('live', z.object(watched)),
    notice('cluster-away', z.object({ why })),
    notice('cluster-refuses', z.object({ why })),
    notice('cluster-back', NoData),
    notice('facts-forbidden', factSource),
    notice('facts-unreadable', factSource),
    notice('facts-cut', z.object({ namespace: z.string(), kept: z.number() })),
    notice('facts-confined', NoData),
    notice('deleted-meanwhile', z.object({ ids: texts })),
  ]),
);
