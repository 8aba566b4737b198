import { stripSgr } from '../../domain/ansi.ts';
import type { PatternSet, PatternText } from './match-messages.ts';
import { compilePattern, type Pattern } from './pattern.ts';

/** Compiled patterns, tested one after the other. */
export interface CompiledSet {
  readonly include: Pattern | undefined;
  readonly also: readonly Pattern[];
  readonly excludes: readonly Pattern[];
}

/** Compiles a set. Throws usage errors for invalid patterns. */
export async function compileSet({ include, also, excludes }: PatternSet): Promise<CompiledSet> {
  const compile = ({ text, ignoreCase, use }: PatternText) => compilePattern(text, ignoreCase, use);
  return {
    include: include && (await compile(include)),
    also: await Promise.all(also.map(compile)),
    excludes: await Promise.all(excludes.map(compile)),
  };
}

/** Whether a message without colors matches `include` and all of `also`, and none of `excludes`. */
export function passes({ include, also, excludes }: CompiledSet, message: Buffer): boolean {
  if (include !== undefined && !include.test(message)) return false;
  if (!also.every((pattern) => pattern.test(message))) return false;
  return !excludes.some((exclude) => exclude.test(message));
}

/** Returns the bytes that patterns are tested on: a message without its colors. */
export function plainBytes(message: Uint8Array): Buffer {
  const plain = stripSgr(message);
  return Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength);
}
