import { type LevelWithSilent, pino } from 'pino';
import type { Logger } from './services.ts';

export interface LoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'disabled';
  /** Receives whole lines. */
  readonly write: (line: string) => void;
  /** Removes what must not be shown from a line: secrets, and terminal control sequences. */
  readonly mask: (text: string) => string;
}

/** Creates a logger of structured lines, one JSON object each. */
export function createLogger({ level, write, mask }: LoggerOptions): Logger {
  const threshold: LevelWithSilent = level === 'disabled' ? 'silent' : level;
  const lines = pino(
    {
      level: threshold,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
  const at = (name: 'debug' | 'info' | 'warn' | 'error') => (fields: object, text: string) => {
    if (lines.isLevelEnabled(name)) lines[name](masked(fields, mask), mask(text));
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function masked(fields: object, mask: (text: string) => string): object {
  const entries = Object.entries(fields).map(([key, value]: [string, unknown]) => {
    if (typeof value === 'string') return [key, mask(value)];
    return [key, value instanceof Error ? stackOf(value).map(mask) : value];
  });
  return Object.fromEntries(entries);
}

/** Returns the stacks of an error and of its causes, line by line. */
function stackOf(error: Error): readonly string[] {
  const lines: string[] = [];
  let current: unknown = error;
  for (let depth = 0; current instanceof Error && depth < 8; depth++) {
    lines.push(...(current.stack ?? `${current.name}: ${current.message}`).split('\n'));
    current = current.cause;
  }
  return lines;
}
