/** How much of a log the page holds; it loads anything beyond again when needed. */
export interface Limits {
  readonly lines: number;
  /** Bytes of messages. */
  readonly bytes: number;
}

/** 1,000,000 lines or 512 MB of messages, whichever comes first. */
export const PAGE_LIMITS: Limits = { lines: 1_000_000, bytes: 512 * 1024 * 1024 };
