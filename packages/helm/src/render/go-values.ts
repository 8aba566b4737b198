import { GoError } from '../template/errors.ts';
import { type GoFunction, type GoReceiver, goFunction } from '../template/function.ts';
import { boxed } from '../template/held.ts';
import { goTypeOf, plain } from '../value/type.ts';
import type { Value, ValueMap } from '../value/value.ts';
import { writeYaml } from '../yaml/write/write-yaml.ts';

const MAP = 'map[string]interface {}';

/**
 * Wraps a map as Helm's common.Values: the dot, `.Values` and `.Template`, each with the methods that templates can
 * call (https://pkg.go.dev/helm.sh/helm/v4/pkg/chart/common#Values). It is only a view of a map: the values of a
 * sub-chart have this type in the sub-chart's templates, and are a plain map in those of the parent chart.
 */
export class GoValues implements GoReceiver {
  readonly goType = 'common.Values';
  readonly kind = 'map';
  readonly #map: ValueMap;

  constructor(map: ValueMap) {
    this.#map = map;
  }

  field(): undefined {
    return undefined;
  }

  method(name: string): GoFunction | undefined {
    switch (name) {
      case 'AsMap':
        return goFunction([], MAP, () => (this.#map.size === 0 ? new Map() : this.#map));
      case 'YAML':
        return goFunction([], 'string', () => writeYaml(this.#map));
      case 'Table':
        return goFunction(['string'], this.goType, (_call, path) => new GoValues(tableAt(this.#map, path)));
      case 'PathValue':
        return goFunction(['string'], 'interface {}', (_call, path) => boxed(valueAt(this.#map, path)));
      case 'Encode':
        return ENCODE;
      default:
        return undefined;
    }
  }

  underlying(): ValueMap {
    return this.#map;
  }

  around(inner: Value): Value {
    return inner instanceof Map ? new GoValues(inner) : inner;
  }

  toString(): string {
    return MAP;
  }
}

/** Always fails: templates have no writer. */
const ENCODE = goFunction(['io.Writer'], 'error', () => {
  throw new GoError('runtime error: invalid memory address or nil pointer dereference');
});

function tableAt(map: ValueMap, path: string): ValueMap {
  let table = map;
  for (const name of path.split('.')) {
    const found = plain(table.get(name) ?? null);
    if (!(found instanceof Map)) throw new GoError(`${JSON.stringify(name)} is not a table`);
    table = found;
  }
  return table;
}

/** Returns the value at a path, unless it is a map. */
function valueAt(map: ValueMap, path: string): Value {
  if (path === '') throw new GoError('YAML path cannot be empty');
  const names = path.split('.');
  const key = names.pop()!;
  const missing = new GoError(`${JSON.stringify(key)} is not a value`);
  let table = map;
  for (const name of names) {
    const found = plain(table.get(name) ?? null);
    if (!(found instanceof Map)) throw missing;
    table = found;
  }
  const value = table.get(key);
  if (value === undefined || goTypeOf(value) === MAP) throw missing;
  return value;
}
