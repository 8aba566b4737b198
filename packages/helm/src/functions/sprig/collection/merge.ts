import { GoError } from '../../../template/errors.ts';
import type { FunctionCall } from '../../../template/function.ts';
import { isNilMap, plain } from '../../../value/type.ts';
import type { ValueMap } from '../../../value/value.ts';
import { isEmpty } from '../flow.ts';

/**
 * Merges a map into another, which is changed, as mergo does for Sprig (https://github.com/darccio/mergo): maps inside
 * are merged as well; of anything else the target's stays unless it is empty, or, with `overwrite`, the source's wins,
 * even when it is empty, but for an empty map over a map. Nil only ever overwrites.
 */
export function mergeInto(
  call: FunctionCall,
  target: ValueMap,
  source: ValueMap,
  overwrite: boolean,
  depth = 0,
): void {
  if (depth > 1000) throw new GoError('the maps are nested too deeply to be merged');
  call.charge(source.size);
  // A nil map inside cannot be written to: it is replaced as an empty one is.
  if (isNilMap(target)) return;
  for (const [key, value] of source) {
    const held = target.get(key);
    const [below, above] = [plain(held ?? null), plain(value)];
    if (above instanceof Map && below instanceof Map) {
      mergeInto(call, below, above, overwrite, depth + 1);
      if (!isEmpty(below)) continue;
    }
    const isFree = value !== null && (held === undefined || isEmpty(held));
    if (overwrite || isFree) target.set(key, value);
  }
}
