import { type LevelWithSilent, pino } from 'pino';
import type { Logger } from './services.ts';

/** Structured lines, one JSON object each. `write` is given whole lines. */
export function createLogger(
  level: 'debug' | 'info' | 'warn' | 'error' | 'disabled',
  write: (line: string) => void,
): Logger {
  const threshold: LevelWithSilent = level === 'disabled' ? 'silent' : level;
  return pino(
    {
      level: threshold,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
}
