import { GoInt } from '../value/value.ts';

/**
 * Restores GoInts in place after a message crosses threads, which turns them into objects without a class. Nothing else
 * in a message has a bigint.
 */
export function restoreIntegers<Message>(message: Message): Message {
  const seen = new Set<object>();
  const restored = (value: unknown): unknown => {
    if (!isObject(value) || ArrayBuffer.isView(value)) return value;
    if (isInteger(value)) return new GoInt(value.value, value.kind);
    if (!seen.has(value)) {
      seen.add(value);
      replaceItems(value, restored);
    }
    return value;
  };
  return restored(message) as Message;
}

/** Replaces each object inside an object or a map. */
function replaceItems(holder: object, replaced: (item: object) => unknown): void {
  const entries: Iterable<[unknown, unknown]> = holder instanceof Map ? holder : Object.entries(holder);
  for (const [key, item] of entries) {
    if (!isObject(item)) continue;
    if (holder instanceof Map) holder.set(key, replaced(item));
    else Reflect.set(holder, key as string, replaced(item));
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function isInteger(value: object): value is Pick<GoInt, 'value' | 'kind'> {
  return 'kind' in value && 'value' in value && typeof value.value === 'bigint';
}
