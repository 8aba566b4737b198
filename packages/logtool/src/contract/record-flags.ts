/** Bits of the last part of a record (WireRecord). Without zod: the page needs them as values. */
export const RECORD_FLAGS = {
  stdout: 1,
  stderr: 2,
  /** No newline follows it in the log. */
  partial: 4,
  /** It arrived after a later record had been sent. */
  late: 8,
  /** Its bytes are not UTF-8: each invalid byte is U+FFFD in the text. */
  lossy: 16,
} as const;
