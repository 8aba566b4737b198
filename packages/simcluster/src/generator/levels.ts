/** The levels that generated lines have. */
export type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
