import type { GapCause } from '../frame.ts';

/** Why a request for a log failed, as far as it matters to a reader of the log. */
export type ReadFailure =
  | 'connection-lost'
  /** No valid credentials: a plugin or a login failed. */
  | 'credentials'
  | 'forbidden'
  | 'no-answer'
  | 'not-found'
  | 'protocol-error'
  | 'refused-request'
  | 'server-error'
  /** No secure connection. */
  | 'tls'
  | 'too-many-requests'
  | 'unauthorized'
  | 'unexpected'
  | 'unreachable';

/**
 * Why a log, or a part of it, is unknown: the exhausted budget (`bytes`, `time`), the container's state (`waiting`,
 * `left`), the cause of a gap, or a failed request.
 */
export type LogLack = 'bytes' | 'time' | 'waiting' | 'left' | GapCause['code'] | ReadFailure;
