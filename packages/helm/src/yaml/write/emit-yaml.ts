import { jsonNumber } from '../../json/write-json.ts';
import { GoInt, type Value, type ValueMap } from '../../value/value.ts';
import { formatGoFloat, yamlFloat } from '../go-float.ts';
import type { YamlDialect } from './dialect.ts';
import { keyOrder } from './key-order.ts';
import { LineWriter } from './line-writer.ts';
import { isSimpleKey, writePlain, writeText } from './write-scalar.ts';

/** The context of a value: a sequence under a key may have the key's indentation. */
type Role = 'root' | 'item' | 'value';

const STEP = 2;

/**
 * Writes a value like go-yaml; the text ends with a line break. For go-yaml 2 the value has passed through JSON, see
 * write-yaml.
 */
export function emitYaml(value: Value, dialect: YamlDialect): string {
  const out = new LineWriter(dialect);
  emitNode(out, value, 'root');
  out.writeIndent();
  return out.text;
}

function emitNode(out: LineWriter, value: Value, role: Role): void {
  // Write empty collections in flow style.
  if (Array.isArray(value) && value.length === 0) out.writeIndicator('[]', true);
  else if (value instanceof Map && value.size === 0) out.writeIndicator('{}', true);
  else if (Array.isArray(value)) emitSequence(out, value, role);
  else if (value instanceof Map) emitMapping(out, value);
  else emitScalar(out, value, false);
}

function emitScalar(out: LineWriter, value: Exclude<Value, Value[] | ValueMap>, isKey: boolean): void {
  const before = out.indent;
  out.indent = before < 0 ? STEP : before + STEP;
  if (typeof value === 'string') writeText(out, value, isKey);
  else writePlain(out, plainText(value, out.dialect), false);
  out.indent = before;
}

function plainText(value: Exclude<Value, string | Value[] | ValueMap>, { isDirect }: YamlDialect): string {
  if (value instanceof GoInt) return value.value.toString();
  if (typeof value === 'number') return isDirect ? yamlFloat(value) : yamlNumber(value);
  if (value === null || typeof value === 'boolean') return String(value);
  throw new TypeError(value.goType);
}

const MAX_UINT64 = 2n ** 64n - 1n;
const MIN_INT64 = -(2n ** 63n);

/** Formats a float64 that passed through JSON: as an integer if its digits fit 64 bits, else as a float. */
function yamlNumber(value: number): string {
  const text = jsonNumber(value);
  if (!/^-?\d+$/.test(text)) return formatGoFloat(value);
  const integer = BigInt(text);
  return integer <= MAX_UINT64 && integer >= MIN_INT64 ? integer.toString() : formatGoFloat(value);
}

function emitSequence(out: LineWriter, items: readonly Value[], role: Role): void {
  const before = out.indent;
  const isIndentless = !out.dialect.indentsSequences && role === 'value' && !out.isIndented;
  out.indent = before < 0 ? 0 : isIndentless ? before : before + STEP;
  for (const item of items) {
    out.writeIndent();
    out.writeIndicator('-', true, true);
    emitNode(out, item, 'item');
  }
  out.indent = before;
}

function emitMapping(out: LineWriter, map: ValueMap): void {
  const before = out.indent;
  out.indent = before < 0 ? 0 : before + STEP;
  for (const key of [...map.keys()].sort((a, b) => keyOrder(a, b, out.dialect))) {
    out.writeIndent();
    if (isSimpleKey(key)) {
      emitScalar(out, key, true);
      out.writeIndicator(':', false);
    } else {
      out.writeIndicator('?', true, true);
      emitScalar(out, key, false);
      out.writeIndent();
      out.writeIndicator(':', true, true);
    }
    emitNode(out, map.get(key) ?? null, 'value');
  }
  out.indent = before;
}
