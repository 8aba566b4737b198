/*
 * Sizes are those of patternSize: instructions. Work is a size times bytes. On a processor of 2026 an instruction takes
 * 2 to 20 ns for a byte at worst; mostly the engine needs less than one for all of them.
 */

/** Size of all patterns of one query together. */
export const MAX_QUERY_SIZE = 10_000;
/** Size of all patterns of the queries that one person has open: five of the largest, or some hundred ordinary ones. */
export const MAX_PERSON_SIZE = 50_000;
/**
 * Size of the patterns of all open queries of one person that the main thread takes; those of further queries are
 * compiled and matched in a thread. Bounds its memory too: the engine keeps up to 8 MiB for a pattern, which only
 * patterns of about 35 instructions and more can make it fill.
 */
export const MAX_MAIN_SIZE = 256;
/** What one line, or a batch of them, may cost on the main thread at once. A longer line is matched in a thread. */
export const MAX_PIECE_WORK = 2 ** 21;
/** Work of all who waited for the same turn of the main thread. */
export const MAX_TURN_WORK = 2 ** 18;
/** The cost of compiling an instruction, in bytes matched by it. */
export const COMPILING_BYTES = 1024;
/** Work of one job of a thread. A longer line is matched as far as this allows, and a notice says so. */
export const MAX_JOB_WORK = 2 ** 24;
