/** A fault from a scenario or the control endpoint: see simcluster/faults. */
export interface Fault {
  /**
   * `drop-request` cuts the connection before any work; `drop-answer` cuts it after all work, before the first byte of
   * the response. Over HTTP/2 this cuts only the stream (INTERNAL_ERROR, as Go's server does when a handler aborts);
   * killing the server ends whole connections.
   */
  readonly kind:
    | 'reset'
    | 'drop-request'
    | 'drop-answer'
    | 'clean-end'
    | 'stall'
    | 'delay'
    | 'status'
    | 'drop-watch'
    | 'expire-watch'
    | 'truncate-json'
    | 'split';
  /** Regular expression for `METHOD path?query`; default: every request. */
  readonly match?: string;
  /** How many matching requests it affects; default: all. */
  readonly times?: number;
  /** How many matching requests pass unchanged first. */
  readonly skip?: number;
  /** For reset, clean-end, stall, truncate-json: how many body bytes pass first. */
  readonly afterBytes?: number;
  /** For stall and delay. */
  readonly delayMs?: number;
  /** For status: 401, 403, 404, 410, 429, 500, 503, or 200 with `text` as the body. */
  readonly status?: number;
  readonly text?: string;
  readonly retryAfterSeconds?: number;
  /** For split: chunk size in bytes. */
  readonly chunkBytes?: number;
}
