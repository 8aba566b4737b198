/** A schema: keywords by name. */
type Schema = Readonly<Record<string, unknown>>;

const ONE = new Set(['additionalItems', 'additionalProperties', 'items', 'not']);
const BY_NAME = new Set(['properties', 'patternProperties', 'definitions', 'dependencies']);
const LIST = new Set(['allOf', 'anyOf', 'oneOf', 'items']);

/**
 * Converts a schema of draft 4 to draft 7: `id` becomes `$id`, and exclusive limits become numbers
 * (https://json-schema.org/draft-06/json-schema-release-notes).
 */
export function upgradeDraft4(schema: Schema): Record<string, unknown> {
  const upgraded: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'id' && typeof value === 'string') upgraded.$id = value;
    else upgraded[key] = upgradeKeyword(key, value);
  }
  for (const [limit, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof upgraded[exclusive] !== 'boolean') continue;
    const isExclusive = upgraded[exclusive];
    delete upgraded[exclusive];
    if (isExclusive && upgraded[limit] !== undefined) {
      upgraded[exclusive] = upgraded[limit];
      delete upgraded[limit];
    }
  }
  return upgraded;
}

function upgradeKeyword(key: string, value: unknown): unknown {
  if (LIST.has(key) && Array.isArray(value)) return value.map(upgradeIfSchema);
  if (ONE.has(key)) return upgradeIfSchema(value);
  if (!BY_NAME.has(key) || !isObject(value)) return value;
  const upgraded = Object.create(null) as Record<string, unknown>;
  for (const [name, one] of Object.entries(value)) {
    Object.defineProperty(upgraded, name, { value: upgradeIfSchema(one), enumerable: true });
  }
  return upgraded;
}

function upgradeIfSchema(value: unknown): unknown {
  return isObject(value) ? upgradeDraft4(value) : value;
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
