/** Bits of the last part of a record (WireRecord). No zod here: the page needs them as values. */
export const RECORD_FLAGS = {
  stdout: 1,
  stderr: 2,
  /** The container wrote no newline after it. */
  partial: 4,
  /** It came after a later record had been handed out. */
  late: 8,
  /** Its bytes are not UTF-8: each wrong byte reads U+FFFD in the text. */
  lossy: 16,
} as const;
