import { GoError } from '../../../template/errors.ts';
import type { FunctionCall } from '../../../template/function.ts';
import { goTypeOf, isGoObject, isNilMap, nilMap, plain, typed } from '../../../value/type.ts';
import type { Value } from '../../../value/value.ts';

/** What a place in a copy takes, beside a character of text. */
const COPY_UNITS = 8;

/** A copy of lists and maps all the way down. What contains itself is an error: a copy of it would have no end. */
export function deepCopy(call: FunctionCall, value: Value, depth = 0): Value {
  if (depth > 1000) throw new GoError('the value is nested too deeply to be copied');
  if (Array.isArray(value)) {
    call.charge(COPY_UNITS * (1 + value.length));
    const copy = value.map((item) => deepCopy(call, item, depth + 1));
    const type = goTypeOf(value);
    return type === '[]interface {}' ? copy : typed(copy, type);
  }
  if (value instanceof Map) {
    call.charge(COPY_UNITS * (1 + value.size));
    if (isNilMap(value)) return nilMap();
    const copy = new Map([...value].map(([key, item]) => [key, deepCopy(call, item, depth + 1)]));
    const type = goTypeOf(value);
    return type === 'map[string]interface {}' ? copy : typed(copy, type);
  }
  if (!isGoObject(value) || value.around === undefined) return value;
  return value.around(deepCopy(call, plain(value), depth + 1));
}
