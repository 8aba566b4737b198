import { GoInt } from '../value/value.ts';

/**
 * Makes GoInts again, in place, of what they are after they have crossed from one thread to another: objects without
 * their class. Nothing else of a message has a bigint.
 */
export function restoreIntegers<Message>(message: Message): Message {
  const seen = new Set<object>();
  const restored = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    if (isInteger(value)) return new GoInt(value.value, value.kind);
    if (seen.has(value)) return value;
    seen.add(value);
    if (value instanceof Map) {
      for (const [key, item] of value) if (isObject(item)) value.set(key, restored(item));
    } else {
      for (const [key, item] of Object.entries(value))
        if (isObject(item)) (value as Record<string, unknown>)[key] = restored(item);
    }
    return value;
  };
  return restored(message) as Message;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

function isInteger(value: object): value is Pick<GoInt, 'value' | 'kind'> {
  return 'kind' in value && 'value' in value && typeof value.value === 'bigint';
}
