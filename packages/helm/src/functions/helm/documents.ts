import { JsonNumberError } from '../../json/read-json.ts';
import { GoError } from '../../template/errors.ts';
import { type GoFunction, goFunction } from '../../template/function.ts';
import type { Value, ValueMap } from '../../value/value.ts';

/** Reads and writes a format as Go does. All methods throw an Error with Go's message. */
export interface DocumentFormat {
  write(value: Value): string;
  readMap(text: string): ValueMap;
  readList(text: string): Value[];
}

function messageOf(error: unknown): string {
  if (error instanceof GoError || !(error instanceof Error) || error instanceof RangeError) throw error;
  return error.message;
}

/** Returns the function's result, or, for an error, its substitute. */
function orElse<Result>(make: () => Result, otherwise: (message: string) => Result): Result {
  try {
    return make();
  } catch (error) {
    return otherwise(messageOf(error));
  }
}

function withoutLastBreak(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** `toYaml` and `toJson`: return an empty text for a value that the format cannot represent. */
export function toDocument(format: Pick<DocumentFormat, 'write'>): GoFunction {
  return goFunction(['interface {}'], 'string', (call, value) => {
    const text = orElse(
      () => withoutLastBreak(format.write(value)),
      () => '',
    );
    call.charge(text.length);
    return text;
  });
}

/** `mustToYaml` and `mustToJson`: throw for a value that the format cannot represent. */
export function mustToDocument(format: DocumentFormat): GoFunction {
  return goFunction(['interface {}'], 'string', (call, value) => {
    const text = orElse(
      () => withoutLastBreak(format.write(value)),
      (message) => {
        throw new GoError(message);
      },
    );
    call.charge(text.length);
    return text;
  });
}

/**
 * `fromYaml`, `fromJson` and `fromToml`: return an error under the key `Error` of the map, beside any partial result.
 */
export function fromDocument(format: Pick<DocumentFormat, 'readMap'>): GoFunction {
  return goFunction(['string'], 'map[string]interface {}', (call, text) => {
    call.charge(text.length);
    try {
      return format.readMap(text);
    } catch (error) {
      const partial = error instanceof JsonNumberError ? error.partial : undefined;
      const map: ValueMap = partial instanceof Map ? partial : new Map();
      return map.set('Error', messageOf(error));
    }
  });
}

/** `fromYamlArray` and `fromJsonArray`: return an error as the only element. */
export function fromListDocument(format: Pick<DocumentFormat, 'readList'>): GoFunction {
  return goFunction(['string'], '[]interface {}', (call, text) => {
    call.charge(text.length);
    return orElse(
      () => format.readList(text),
      (message) => [message],
    );
  });
}
