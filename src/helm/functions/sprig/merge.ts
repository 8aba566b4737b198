import { GoError } from '../../template/errors.ts';
import type { FunctionCall } from '../../template/function.ts';
import { isNilMap } from '../../value/type.ts';
import type { ValueMap } from '../../value/value.ts';
import { isEmpty } from './flow.ts';

/**
 * Merges a map into another, which is changed, as mergo does for Sprig: maps inside are merged as well; of anything
 * else the target's stays unless it is empty, or, with `overwrite`, the source's wins unless that is empty.
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
  if (isNilMap(target) && source.size > 0) throw new GoError('assignment to entry in nil map');
  for (const [key, value] of source) {
    const held = target.get(key);
    if (value instanceof Map && held instanceof Map && !isNilMap(held)) {
      mergeInto(call, held, value, overwrite, depth + 1);
      continue;
    }
    const isFree = held === undefined || isEmpty(held);
    if (held === undefined || (overwrite ? !isEmpty(value) : isFree && !isEmpty(value)))
      target.set(key, value);
  }
}
