import type { Ajv, SchemaValidateFunction } from 'ajv';

/**
 * Replaces the validator's keywords that compare values. Its own comparison calls methods of the values, so it fails
 * for objects without a prototype and for keys such as `valueOf`; it also compares every pair of list items.
 */
export function addEqualityKeywords(ajv: Pick<Ajv, 'addKeyword' | 'removeKeyword' | 'getKeyword'>): void {
  const numbers = new ValueNumbers();
  for (const keyword of ['const', 'enum', 'uniqueItems']) ajv.removeKeyword(keyword);
  // The order of the keywords determines the order of the messages.
  ajv.addKeyword({
    keyword: 'const',
    before: 'not',
    errors: false,
    compile(wanted: unknown) {
      const number = numbers.of(wanted);
      return (data: unknown) => numbers.of(data) === number;
    },
  });
  ajv.addKeyword({
    keyword: 'enum',
    before: 'not',
    schemaType: 'array',
    errors: false,
    compile(wanted: readonly unknown[]) {
      const allowed = new Set(wanted.map((value) => numbers.of(value)));
      return (data: unknown) => allowed.has(numbers.of(data));
    },
  });
  ajv.addKeyword({
    keyword: 'uniqueItems',
    before: ajv.getKeyword('prefixItems') === false ? 'additionalItems' : 'prefixItems',
    type: 'array',
    schemaType: 'boolean',
    compile: (isWanted: boolean) => (isWanted ? uniqueItems(numbers) : () => true),
  });
}

/** Reports the first item that equals an earlier one, and the first one that it equals, as Helm does. */
function uniqueItems(numbers: ValueNumbers): SchemaValidateFunction {
  const validate: SchemaValidateFunction = (items: readonly unknown[]) => {
    const indexes = new Map<number, number>();
    for (const [index, item] of items.entries()) {
      const number = numbers.of(item);
      const earlier = indexes.get(number);
      if (earlier !== undefined) {
        validate.errors = [{ keyword: 'uniqueItems', params: { i: earlier, j: index } }];
        return false;
      }
      indexes.set(number, index);
    }
    return true;
  };
  return validate;
}

/**
 * Assigns equal values the same number, and different values different numbers
 * (https://json-schema.org/draft/2020-12/json-schema-core#section-4.2.2): 1 equals 1.0, the order of keys does not
 * matter. Compares nested values by their numbers, so it walks each value once, however many lists contain it.
 */
class ValueNumbers {
  readonly #ofText = new Map<string, number>();
  readonly #ofObject = new WeakMap<object, number>();

  of(value: unknown): number {
    if (typeof value !== 'object' || value === null)
      return this.#number(typeof value === 'string' ? JSON.stringify(value) : String(value));
    const known = this.#ofObject.get(value);
    if (known !== undefined) return known;
    const number = this.#number(Array.isArray(value) ? this.#listText(value) : this.#objectText(value));
    this.#ofObject.set(value, number);
    return number;
  }

  #listText(items: readonly unknown[]): string {
    return `[${items.map((item) => this.of(item)).join()}]`;
  }

  #objectText(object: object): string {
    const fields = Object.entries(object).map(([key, value]) => `${JSON.stringify(key)}:${this.of(value)}`);
    return `{${fields.sort().join()}}`;
  }

  #number(text: string): number {
    const number = this.#ofText.get(text) ?? this.#ofText.size;
    this.#ofText.set(text, number);
    return number;
  }
}
