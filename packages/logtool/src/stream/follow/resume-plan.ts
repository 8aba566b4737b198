import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';

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
