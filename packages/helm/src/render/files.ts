import type { ChartFile } from '../chart/chart.ts';
import { type GoFunction, type GoReceiver, goFunction } from '../template/function.ts';
import { bytesToText, GoBytes } from '../value/bytes.ts';
import { typed } from '../value/type.ts';
import type { Value, ValueMap } from '../value/value.ts';
import { globMatcher } from './glob.ts';

/** Writes the map of AsConfig and AsSecrets. */
export type WriteYaml = (value: Value) => string;

const EMPTY = new Uint8Array();

/**
 * `.Files`: the files of a chart that are not templates (https://helm.sh/docs/chart_template_guide/accessing_files/).
 */
export class GoFiles implements GoReceiver {
  readonly goType = 'engine.files';
  readonly kind = 'map';
  readonly #files: ReadonlyMap<string, Uint8Array>;
  readonly #writeYaml: WriteYaml;

  constructor(files: Iterable<readonly [string, Uint8Array]>, writeYaml: WriteYaml) {
    this.#files = new Map(files);
    this.#writeYaml = writeYaml;
  }

  static of(files: readonly ChartFile[], writeYaml: WriteYaml): GoFiles {
    return new GoFiles(
      files.map(({ name, data }) => [name, data] as const),
      writeYaml,
    );
  }

  field(): undefined {
    return undefined;
  }

  method(name: string): GoFunction | undefined {
    switch (name) {
      case 'Get':
        return goFunction(['string'], 'string', (_call, file) => bytesToText(this.#bytes(file)));
      case 'GetBytes':
        return goFunction(['string'], '[]uint8', (_call, file) => new GoBytes(this.#bytes(file)));
      case 'Lines':
        return goFunction(['string'], '[]string', (_call, file) => this.#lines(file));
      case 'Glob':
        return goFunction(['string'], 'engine.files', (_call, pattern) => this.#glob(pattern));
      case 'AsConfig':
        return goFunction([], 'string', () => this.#asYaml(bytesToText));
      case 'AsSecrets':
        return goFunction([], 'string', () => this.#asYaml((bytes) => Buffer.from(bytes).toString('base64')));
      default:
        return undefined;
    }
  }

  underlying(): Value {
    const map: ValueMap = new Map();
    for (const [name, bytes] of this.#files) map.set(name, new GoBytes(bytes));
    return typed(map, 'map[string][]uint8');
  }

  toString(): string {
    return 'map[...]';
  }

  #bytes(name: string): Uint8Array {
    return this.#files.get(name) ?? EMPTY;
  }

  #lines(name: string): Value[] {
    const text = bytesToText(this.#bytes(name));
    const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
    return typed<Value[]>(lines, '[]string');
  }

  #glob(pattern: string): GoFiles {
    const isMatch = globMatcher(pattern);
    return new GoFiles(
      [...this.#files].filter(([name]) => isMatch(name)),
      this.#writeYaml,
    );
  }

  #asYaml(text: (bytes: Uint8Array) => string): string {
    const map: ValueMap = new Map();
    for (const [name, bytes] of this.#files) map.set(name.slice(name.lastIndexOf('/') + 1), text(bytes));
    return this.#writeYaml(map).replace(/\n$/, '');
  }
}
