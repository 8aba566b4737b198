import { z } from 'zod';
import { LEVELS } from '../domain/filter.ts';
import { ROTATED_CHOICES } from '../domain/window.ts';
import { CursorText, TimeText } from './wire-record.ts';

const Names = z.array(z.string().min(1).max(253)).max(500);
const Pattern = z.string().max(10_000).describe('RE2 syntax');

export const WireBound = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('inclusive'), at: TimeText }),
  z.object({ kind: z.literal('strict'), at: TimeText }),
  z.object({ kind: z.literal('cursor'), at: CursorText }),
]);
export type WireBound = z.infer<typeof WireBound>;

/** The records of one container that the page already has: following continues there. */
export const ResumePoint = z.object({
  /** LogSource.id */
  id: z.string().max(600),
  /** LogSource.run of the newest run that the page saw. */
  run: z.string().max(300),
  /** Time of its newest line; absent if the page saw no line, and then `since` of the resume applies. */
  at: TimeText.optional(),
});
export type ResumePoint = z.infer<typeof ResumePoint>;

/** One query of a stream. The page resolves times, so there are no durations here. */
export const LogQuery = z.object({
  /** The page's own number of the query; each frame has it as `q`. */
  id: z.int().nonnegative(),
  /** `[namespace:]<resource>[/name[/container]]`, as on the command line. */
  sources: z.array(z.string().min(1).max(600)).min(1).max(200),
  allContainers: z.boolean().optional(),
  selector: z.string().max(2_000).optional(),
  nodes: Names.optional(),
  regions: Names.optional(),
  zones: Names.optional(),
  os: Names.optional(),
  arch: Names.optional(),
  selection: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('head'), count: z.int().min(0).max(100_000) }),
    z.object({ kind: z.literal('tail'), count: z.int().min(0).max(100_000) }),
    z.object({ kind: z.literal('all') }),
  ]),
  from: WireBound.optional(),
  to: WireBound.optional(),
  follow: z.boolean().optional(),
  /**
   * Lines that the page holds from `to` up to the newest one, by run (LogSource.order). The search for `to`
   * starts there, so that an older page costs the same however old it is. It changes no answer.
   */
  held: z
    .array(z.object({ order: z.string().max(900), lines: z.int().nonnegative() }))
    .max(5_000)
    .optional(),
  previous: z.enum(['auto', 'no', 'only']).optional(),
  /**
   * Files that nodes rotated away: skip them (`no`, the default), read them with the newest one (`auto`), or read only
   * them (`only`, which excludes `follow`). Requires `get` on `nodes/proxy`; without it, `auto` reads the newest file,
   * and a notice `node-files-refused` names the node.
   */
  rotated: z.enum(ROTATED_CHOICES).optional(),
  /**
   * The server names containers that have not answered after this many ms in a frame `unanswered`, and leaves
   * them out of the window once others have answered, or for a tail that ends, once it has records of others. The
   * `end` of a tail then has `cut`, and a `prev` between two times; a follow sends their records from there on when
   * they answer. The `next` of a head is between two times. Windows of all records, and containers that take turns,
   * are always awaited; without this field, every container is.
   */
  patienceMs: z.int().min(1).max(60_000).optional(),
  /**
   * Containers (LogSource.id) to leave out of a window. Its `prev` (of a tail) and `next` (of a head) are between two
   * times, so that they hold for those containers too.
   */
  without: z.array(z.string().max(600)).max(5_000).optional(),
  grep: Pattern.optional(),
  exclude: z.array(Pattern).max(50).optional(),
  ignoreCase: z.boolean().optional(),
  levels: z.array(z.enum(LEVELS)).optional(),
  /**
   * Continues a view whose stream broke, instead of reading a window (ignores `selection`; requires
   * `follow`). Known containers continue at their position: records of the last seconds before it come again,
   * so that none is lost whatever their order; the page drops those it has. Other containers are read from
   * `since` on. If a container's position is after `since`, no record before `since` comes again: it is the
   * beginning of the page's records.
   */
  resume: z
    .object({
      since: TimeText.optional(),
      points: z.array(ResumePoint).max(5_000),
    })
    .optional(),
});
export type LogQuery = z.infer<typeof LogQuery>;

/** Body of the log stream. */
export const LogRequest = z.object({ queries: z.array(LogQuery).min(1).max(64) });
export type LogRequest = z.infer<typeof LogRequest>;
