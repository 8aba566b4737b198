import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { FilterPlan } from '../domain/filter.ts';
import type { Frame } from '../domain/frame.ts';
import type { SourceEvent } from '../domain/source-event.ts';
import type { Window } from '../domain/window.ts';
import type { NamedPod } from '../resolve/sources/named-pod.ts';

export interface EnginePlan {
  readonly window: Window;
  readonly filter: FilterPlan;
  /** Containers read at once; more wait their turn. */
  readonly maxLogRequests: number;
  /** Budget in bytes for searching back with grep and tail; 0 is none. */
  readonly searchLimitBytes: number;
  /**
   * Whether `end` should carry cursors (it may cost a cheap request for records beyond the window).
   * Pages have no context lines: neither this nor a cursor as a bound goes with them.
   */
  readonly cursors: boolean;
  /** The printer wants message bytes only, so that one unfiltered container may be copied straight through. */
  readonly raw: boolean;
  /**
   * About how many lines of a run (keyText) lie after `window.to`: the search for its position starts there.
   */
  readonly afterTo?: ReadonlyMap<string, number> | undefined;
  /** The log of this pod is asked for before the sources are resolved to it (log-guess.ts). */
  readonly guess?: NamedPod | undefined;
  /**
   * Containers that have not answered after so long are left out of the window, as soon as it has records of others or
   * goes on live. The window then begins with the time of its first record, and a follow gives the others' records from
   * that time on when they answer. Undefined: every container is waited for.
   */
  readonly patienceMs?: number | undefined;
  /**
   * Follows from given positions instead of reading a window: `window.from` applies only to other containers.
   */
  readonly resume?: ResumePlan | undefined;
}

/** What of one container was taken in already. */
export interface ResumePoint {
  /** ID of the newest run that was seen; empty if it was not known. */
  readonly runId: string;
  /** Time of its newest line; undefined: no line was seen. */
  readonly at: Timestamp | undefined;
}

/**
 * Where a cut reader resumes. Known containers continue at their position; lines of the last seconds before
 * it come again, so that none is lost whatever their order in the file, and the reader drops those it has.
 */
export interface ResumePlan {
  /**
   * Containers that are unknown, or without a known line, are read from here; undefined: from their first
   * line. If a container's known line is later, nothing before this point comes again.
   */
  readonly since: Timestamp | undefined;
  /** By ContainerTarget.id. */
  readonly points: ReadonlyMap<string, ResumePoint>;
}

export interface EngineContext {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Who asks, if several people do: what they need in common is shared out by person. */
  readonly person?: string | undefined;
}

/** The log engine: records of all containers, merged in the total order. Pull-driven: nothing is read ahead unasked. */
export type ReadLogs = (
  context: EngineContext,
  sources: AsyncIterable<SourceEvent>,
  plan: EnginePlan,
) => AsyncIterable<Frame>;
