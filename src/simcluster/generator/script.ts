import type { Program } from './program.ts';
import type { Random } from './random.ts';

export function scriptProgram(
  _words: readonly string[],
  _env: Readonly<Record<string, string>>,
  _startMs: number,
  _random: Random,
): Program {
  return [][Symbol.iterator]();
}
