import type { Ajv, SchemaValidateFunction } from 'ajv';

/**
 * Replaces the validator's keywords that compare values. Its own comparison calls methods of the values: it fails at
 * objects without a prototype, and at keys such as `valueOf`. It also compares each item of a list with each other.
 */
export function addEqualityKeywords(ajv: Pick<Ajv, 'addKeyword' | 'removeKeyword' | 'getKeyword'>): void {
  const numbers = new ValueNumbers();
  for (const keyword of ['const', 'enum', 'uniqueItems']) ajv.removeKeyword(keyword);
  // The order of the keywords is the order of the messages.
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

/** Names the first item that equals an earlier one, and the first one that it equals, as Helm does. */
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
 * Gives equal values the same number, and others another one
 * (https://json-schema.org/draft/2020-12/json-schema-core#section-4.2.2): 1 is 1.0, the order of keys does not matter.
 * A value inside of another is compared by its number: each is gone through once, however many lists it is in.
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
