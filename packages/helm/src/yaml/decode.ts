import {
  type AliasNode,
  composeDocument,
  type MappingNode,
  type ScalarNode,
  type YamlNode,
} from './compose.ts';
import { goSyntax } from './go-syntax.ts';
import { resolvePlain, type YamlScalar, type YamlValue } from './resolve.ts';
import { checkCharacters } from './scan/check-characters.ts';
import { YamlError } from './yaml-error.ts';

const LONG_PREFIX = 'tag:yaml.org,2002:';
const RESOLVABLE = new Set(['str', 'bool', 'int', 'float', 'null', 'timestamp']);
const MAX_INT64 = 2n ** 63n - 1n;

export interface DecodeOptions {
  /** Make a duplicate key an error, as in UnmarshalStrict. */
  readonly isStrict?: boolean;
}

/**
 * Reads the first document of a text like go-yaml 2 (YAML 1.1 with merge keys; aliases limited to a share of all
 * decoded values). Only comments decode to null.
 * @throws YamlError worded as go-yaml's.
 */
export function decodeYaml(text: string, options: DecodeOptions = {}): YamlValue {
  checkCharacters(text);
  const start = text.startsWith('\ufeff') ? text.slice(1) : text;
  const node = composeDocument(start);
  return node === undefined ? null : new Decoder(options.isStrict === true).document(node);
}

class Decoder {
  readonly #isStrict: boolean;
  readonly #open = new Set<AliasNode>();
  readonly #issues: string[] = [];
  /** Counts the document itself as one. */
  #decoded = 1;
  #aliased = 0;

  constructor(isStrict: boolean) {
    this.#isStrict = isStrict;
  }

  document(node: YamlNode): YamlValue {
    const value = this.#decode(node);
    if (this.#issues.length === 0) return value;
    throw new YamlError(`yaml: unmarshal errors:\n  ${this.#issues.join('\n  ')}`);
  }

  #decode(node: YamlNode): YamlValue {
    this.#count();
    if (node.kind === 'alias') return this.#follow(node, (target) => this.#decode(target));
    if (node.kind === 'scalar') return scalarValue(node);
    if (node.kind === 'sequence') return node.items.map((item) => this.#decode(item));
    node.kind satisfies 'mapping';
    const map = new Map<YamlValue, YamlValue>();
    this.#fill(map, node);
    return map;
  }

  #fill(map: Map<YamlValue, YamlValue>, node: MappingNode): void {
    for (const [keyNode, valueNode] of node.entries) {
      if (isMerge(keyNode)) {
        this.#merge(map, valueNode);
        continue;
      }
      const key = this.#decode(keyNode);
      if (typeof key === 'object' && key !== null)
        throw new YamlError(`yaml: invalid map key: ${goSyntax(key)}`);
      const value = this.#decode(valueNode);
      if (this.#isStrict && map.has(key)) {
        this.#issues.push(`line ${valueNode.line + 1}: key ${goSyntax(key)} already set in map`);
      } else {
        map.set(key, value);
      }
    }
  }

  /** Handles `<<`: adds the entries of one or more mappings at its position. */
  #merge(map: Map<YamlValue, YamlValue>, node: YamlNode): void {
    // In reverse, so that earlier mappings win.
    const sources = node.kind === 'sequence' ? [...node.items].reverse() : [node];
    if (node.kind === 'sequence' ? !sources.every(isMapping) : !isMapping(node)) {
      throw new YamlError('yaml: map merge requires map or sequence of maps as the value');
    }
    for (const source of sources) this.#mergeOne(map, source);
  }

  #mergeOne(map: Map<YamlValue, YamlValue>, node: YamlNode): void {
    this.#count();
    if (node.kind === 'alias') this.#follow(node, (target) => this.#mergeOne(map, target));
    else if (node.kind === 'mapping') this.#fill(map, node);
    else node.kind satisfies 'scalar' | 'sequence';
  }

  #follow<Result>(node: AliasNode, use: (target: YamlNode) => Result): Result {
    if (this.#open.has(node)) throw new YamlError(`yaml: anchor '${node.name}' value contains itself`);
    this.#open.add(node);
    const result = use(node.target);
    this.#open.delete(node);
    return result;
  }

  #count(): void {
    this.#decoded++;
    if (this.#open.size > 0) this.#aliased++;
    if (this.#aliased <= 100 || this.#decoded <= 1000) return;
    if (this.#aliased / this.#decoded > allowedAliasShare(this.#decoded)) {
      throw new YamlError('yaml: document contains excessive aliasing');
    }
  }
}

const SMALL_DOCUMENT = 400_000;
const LARGE_DOCUMENT = 4_000_000;

/**
 * Returns the share of decoded values that may come from aliases: nearly all in a small document, a tenth in a large
 * one.
 */
function allowedAliasShare(decoded: number): number {
  if (decoded <= SMALL_DOCUMENT) return 0.99;
  if (decoded >= LARGE_DOCUMENT) return 0.1;
  return 0.99 - 0.89 * ((decoded - SMALL_DOCUMENT) / (LARGE_DOCUMENT - SMALL_DOCUMENT));
}

function isMapping(node: YamlNode): boolean {
  return (node.kind === 'alias' ? node.target : node).kind === 'mapping';
}

function isMerge(node: YamlNode): boolean {
  return (
    node.kind === 'scalar' &&
    node.text === '<<' &&
    (node.isImplicit || node.tag === 'tag:yaml.org,2002:merge')
  );
}

function scalarValue(node: ScalarNode): YamlValue {
  return node.tag === '' && !node.isImplicit ? node.text : resolveTagged(node.tag, node.text);
}

/**
 * Resolves a scalar by its full tag, `''` for none. Unknown tags have no effect, as in go-yaml.
 * @throws YamlError if the text does not match its tag.
 */
function resolveTagged(tag: string, text: string): YamlScalar {
  if (tag === '') return resolvePlain(text).value;
  if (!tag.startsWith(LONG_PREFIX)) return text;
  const wanted = tag.slice(LONG_PREFIX.length);
  if (wanted === 'binary') return decodeBinary(text);
  if (!RESOLVABLE.has(wanted) || wanted === 'str') return text;
  const { kind, value } = resolvePlain(text);
  const found = kind === 'timestamp' && wanted !== 'timestamp' ? 'str' : kind;
  if (found === wanted) return value;
  if (wanted === 'float' && found === 'int' && (value as bigint) <= MAX_INT64) return Number(value);
  throw new YamlError(`yaml: cannot decode !!${found} \`${text}\` as a !!${wanted}`);
}

/** Decodes base64 with line breaks. Invalid UTF-8 becomes U+FFFD, as it does on the way through JSON. */
function decodeBinary(text: string): string {
  const base64 = text.replace(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(base64)) {
    throw new YamlError('yaml: !!binary value contains invalid base64 data');
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(base64, 'base64'));
}
