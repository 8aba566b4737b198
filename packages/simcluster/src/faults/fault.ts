/** A fault, by scenario or by the control endpoint: see simcluster/faults. */
export interface Fault {
  /**
   * Among them `drop-request`: the connection is cut before anything is done, and `drop-answer`: after everything is
   * done, before a byte is answered. Over HTTP/2 what is cut is the one stream (INTERNAL_ERROR, as Go's server does when
   * a handler breaks off); the server killed ends whole connections.
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
  /** Regular expression on `METHOD path?query`; every request when left out. */
  readonly match?: string;
  /** How many matching requests it hits; without end when left out. */
  readonly times?: number;
  /** Matching requests that pass unharmed first. */
  readonly skip?: number;
  /** For reset, clean-end, stall, truncate-json: body bytes that pass first. */
  readonly afterBytes?: number;
  /** For stall and delay. */
  readonly delayMs?: number;
  /** For status: 401, 403, 404, 410, 429, 500, 503, or 200 with `text` as the body. */
  readonly status?: number;
  readonly text?: string;
  readonly retryAfterSeconds?: number;
  /** For split: chunks of that many bytes. */
  readonly chunkBytes?: number;
}
