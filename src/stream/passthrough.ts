import type { Frame } from '../domain/frame.ts';
import type { EnginePlan } from './engine.ts';
import type { ReadContext } from './read-context.ts';
import type { WindowInput } from './window-result.ts';

/** Copies one container's log straight through where the query allows it. Returns whether it did. */
export async function* passThrough(
  _context: ReadContext,
  _input: WindowInput,
  _plan: EnginePlan,
  _open: boolean,
): AsyncGenerator<Frame, boolean, undefined> {
  return false;
}
