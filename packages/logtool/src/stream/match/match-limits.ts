/*
 * Sizes are those of patternSize: instructions. Work is a size times bytes. On a processor of 2026 an instruction takes
 * 2 to 20 ns for a byte at worst; mostly the engine takes less than one for all of them.
 */

/** Maximum size of all patterns of one query together. */
export const MAX_QUERY_SIZE = 10_000;
/** Maximum size of all patterns in one person's open queries: five of the largest, or some hundred ordinary ones. */
export const MAX_PERSON_SIZE = 50_000;
/**
 * Maximum size of the patterns in one person's open queries that the main thread takes; a thread compiles and matches
 * those of further queries. Also bounds its memory: the engine keeps up to 8 MiB for a pattern, which only patterns of
 * about 35 instructions and more can fill.
 */
export const MAX_MAIN_SIZE = 256;
/** Maximum work for one line, or a batch of lines, on the main thread at once. A thread matches longer lines. */
export const MAX_PIECE_WORK = 2 ** 21;
/** Maximum work of all who waited for the same turn of the main thread. */
export const MAX_TURN_WORK = 2 ** 18;
/** The cost of compiling an instruction, in bytes matched by it. */
export const COMPILING_BYTES = 1024;
/** Maximum work of one job of a thread. A longer line is matched up to this limit, and a notice reports it. */
export const MAX_JOB_WORK = 2 ** 24;
