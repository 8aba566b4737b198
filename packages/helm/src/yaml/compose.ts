import { Cursor } from './scan/cursor.ts';
import { Scanner } from './scan/scanner.ts';
import type { Token, TokenType } from './scan/token.ts';
import { YamlError } from './yaml-error.ts';

const DEFAULT_PREFIXES: readonly (readonly [string, string])[] = [
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
];

/** A part of the document as written: before following aliases and resolving scalars. `line` counts from zero. */
export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly line: number;
  readonly text: string;
  /** The full tag: `tag:yaml.org,2002:int`. Empty if none. */
  readonly tag: string;
  /** Whether the text determines the type: it has no quotes and no tag. */
  readonly isImplicit: boolean;
}

export interface SequenceNode {
  readonly kind: 'sequence';
  readonly line: number;
  readonly items: YamlNode[];
}

export interface MappingNode {
  readonly kind: 'mapping';
  readonly line: number;
  readonly entries: (readonly [YamlNode, YamlNode])[];
}

export interface AliasNode {
  readonly kind: 'alias';
  readonly line: number;
  readonly name: string;
  readonly target: YamlNode;
}

/** Go-yaml accepts nesting up to 10,000, more than JavaScript's stack; nothing that people write is nearly as deep. */
const DEPTH_LIMIT = 1_000;

const END_OF_CONTENT: ReadonlySet<TokenType> = new Set([
  'directive',
  'document-start',
  'document-end',
  'stream-end',
]);

/**
 * Parses the first document of a text; undefined for an empty text. Ignores what follows, like go-yaml's Unmarshal. The
 * grammar is that of libyaml; errors name the same lines as go-yaml.
 * @throws YamlError
 */
export function composeDocument(text: string): YamlNode | undefined {
  return new Composer(new Scanner(new Cursor(text))).document();
}

class Composer {
  readonly #scanner: Scanner;
  readonly #anchors = new Map<string, YamlNode>();
  #tagPrefixes: ReadonlyMap<string, string> = new Map();
  #depth = 0;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  document(): YamlNode | undefined {
    const first = this.#scanner.peek();
    if (first.type === 'stream-end') return undefined;
    this.#tagPrefixes = tagDirectives(this.#scanner, parserError);
    let node: YamlNode;
    if (first.type !== 'directive' && first.type !== 'document-start') {
      node = this.#node(true, false);
    } else {
      const start = this.#scanner.peek();
      if (start.type !== 'document-start')
        throw parserError('did not find expected <document start>', start.line);
      this.#scanner.next();
      const content = this.#scanner.peek();
      node = END_OF_CONTENT.has(content.type) ? this.#empty(content.line) : this.#node(true, false);
    }
    this.#scanner.peek();
    return node;
  }

  #peekIs(...types: TokenType[]): boolean {
    return types.includes(this.#scanner.peek().type);
  }

  /** `isBlock`: block collections may start here. `isIndentless`: also a sequence at the column of its key. */
  #node(isBlock: boolean, isIndentless: boolean): YamlNode {
    const start = this.#scanner.peek();
    if (start.type === 'alias') return this.#alias(this.#scanner.next());
    let anchor: Token | undefined;
    let tagToken: Token | undefined;
    if (this.#peekIs('anchor')) {
      anchor = this.#scanner.next();
      if (this.#peekIs('tag')) tagToken = this.#scanner.next();
    } else if (this.#peekIs('tag')) {
      tagToken = this.#scanner.next();
      if (this.#peekIs('anchor')) anchor = this.#scanner.next();
    }
    const tag = tagToken === undefined ? '' : this.#fullTag(tagToken, start.line);
    this.#descend();
    const node = this.#content(start, tag, anchor, isBlock, isIndentless);
    this.#depth--;
    return node;
  }

  #content(
    start: Token,
    tag: string,
    anchor: Token | undefined,
    isBlock: boolean,
    isIndentless: boolean,
  ): YamlNode {
    const token = this.#scanner.peek();
    const { line } = start;
    if (token.type === 'scalar') {
      this.#scanner.next();
      const isImplicit = tag === '!' || (tag === '' && token.isPlain === true);
      return this.#keep(anchor, { kind: 'scalar', line, text: token.text, tag, isImplicit });
    }
    if (isIndentless && token.type === 'block-entry') return this.#indentlessSequence(line, anchor);
    if (token.type === 'flow-sequence-start') return this.#flowSequence(line, anchor);
    if (token.type === 'flow-mapping-start') return this.#flowMapping(line, anchor);
    if (isBlock && token.type === 'block-sequence-start') return this.#blockSequence(line, anchor);
    if (isBlock && token.type === 'block-mapping-start') return this.#blockMapping(line, anchor);
    if (anchor === undefined && tag === '') {
      throw parserError('did not find expected node content', token.line, line);
    }
    return this.#keep(anchor, { kind: 'scalar', line, text: '', tag, isImplicit: tag === '' });
  }

  #alias(token: Token): AliasNode {
    const target = this.#anchors.get(token.text);
    if (target === undefined) throw new YamlError(`yaml: unknown anchor '${token.text}' referenced`);
    return { kind: 'alias', line: token.line, name: token.text, target };
  }

  #fullTag({ tag, line }: Token, startLine: number): string {
    const { handle, suffix } = tag ?? { handle: '', suffix: '' };
    if (handle === '') return suffix;
    const prefix = this.#tagPrefixes.get(handle);
    if (prefix === undefined) throw parserError('found undefined tag handle', line, startLine);
    return prefix + suffix;
  }

  /** Registers a node at its start, so that a collection can contain an alias of itself, which is an error later. */
  #keep<Kind extends YamlNode>(anchor: Token | undefined, node: Kind): Kind {
    if (anchor !== undefined) this.#anchors.set(anchor.text, node);
    return node;
  }

  #blockSequence(line: number, anchor: Token | undefined): SequenceNode {
    const sequence = this.#keep(anchor, { kind: 'sequence', line, items: [] as YamlNode[] });
    const start = this.#scanner.next();
    while (this.#peekIs('block-entry')) {
      const entry = this.#scanner.next();
      sequence.items.push(this.#unless(entry, true, false, 'block-entry', 'block-end'));
    }
    const end = this.#scanner.peek();
    if (end.type !== 'block-end')
      throw parserError("did not find expected '-' indicator", end.line, start.line);
    this.#scanner.next();
    return sequence;
  }

  #indentlessSequence(line: number, anchor: Token | undefined): SequenceNode {
    const sequence = this.#keep(anchor, { kind: 'sequence', line, items: [] as YamlNode[] });
    while (this.#peekIs('block-entry')) {
      const entry = this.#scanner.next();
      sequence.items.push(this.#unless(entry, true, false, 'block-entry', 'key', 'value', 'block-end'));
    }
    return sequence;
  }

  #blockMapping(line: number, anchor: Token | undefined): MappingNode {
    const mapping = this.#keep(anchor, { kind: 'mapping', line, entries: [] as [YamlNode, YamlNode][] });
    const start = this.#scanner.next();
    while (this.#peekIs('key')) {
      const key = this.#unless(this.#scanner.next(), true, true, 'key', 'value', 'block-end');
      const value = this.#peekIs('value')
        ? this.#unless(this.#scanner.next(), true, true, 'key', 'value', 'block-end')
        : this.#empty(this.#scanner.peek().line);
      mapping.entries.push([key, value]);
    }
    const end = this.#scanner.peek();
    if (end.type !== 'block-end') throw parserError('did not find expected key', end.line, start.line);
    this.#scanner.next();
    return mapping;
  }

  #descend(): void {
    if (++this.#depth > DEPTH_LIMIT) throw new YamlError(`yaml: exceeded max depth of ${DEPTH_LIMIT}`);
  }

  /** Counts toward the depth like a written node, so that any text that was read can be read again after writing. */
  #empty(line: number): ScalarNode {
    this.#descend();
    this.#depth--;
    return emptyScalar(line);
  }

  /** Returns the node after an indicator, or an empty one if one of the types follows directly. */
  #unless(indicator: Token, isBlock: boolean, isIndentless: boolean, ...types: TokenType[]): YamlNode {
    return this.#peekIs(...types) ? this.#empty(indicator.line) : this.#node(isBlock, isIndentless);
  }

  #flowSequence(line: number, anchor: Token | undefined): SequenceNode {
    const sequence = this.#keep(anchor, { kind: 'sequence', line, items: [] as YamlNode[] });
    const start = this.#scanner.next();
    for (let isFirst = true; !this.#peekIs('flow-sequence-end'); isFirst = false) {
      if (!isFirst) this.#comma("did not find expected ',' or ']'", start);
      if (this.#peekIs('key')) sequence.items.push(this.#pair(this.#scanner.next()));
      else if (!this.#peekIs('flow-sequence-end')) sequence.items.push(this.#node(false, false));
    }
    this.#scanner.next();
    return sequence;
  }

  /** Parses `[key: value]`: a mapping with one entry inside a sequence. */
  #pair({ line }: Token): MappingNode {
    let key: YamlNode;
    if (this.#peekIs('value', 'flow-entry', 'flow-sequence-end'))
      key = this.#empty(this.#scanner.next().line);
    else key = this.#node(false, false);
    return { kind: 'mapping', line, entries: [[key, this.#flowValue('flow-sequence-end')]] };
  }

  #flowMapping(line: number, anchor: Token | undefined): MappingNode {
    const mapping = this.#keep(anchor, { kind: 'mapping', line, entries: [] as [YamlNode, YamlNode][] });
    const start = this.#scanner.next();
    for (let isFirst = true; !this.#peekIs('flow-mapping-end'); isFirst = false) {
      if (!isFirst) this.#comma("did not find expected ',' or '}'", start);
      if (this.#peekIs('key')) {
        this.#scanner.next();
        const key = this.#peekIs('value', 'flow-entry', 'flow-mapping-end')
          ? this.#empty(this.#scanner.peek().line)
          : this.#node(false, false);
        mapping.entries.push([key, this.#flowValue('flow-mapping-end')]);
      } else if (!this.#peekIs('flow-mapping-end')) {
        const key = this.#node(false, false);
        mapping.entries.push([key, this.#empty(this.#scanner.peek().line)]);
      }
    }
    this.#scanner.next();
    return mapping;
  }

  #comma(problem: string, start: Token): void {
    const token = this.#scanner.peek();
    if (token.type !== 'flow-entry') throw parserError(problem, token.line, start.line);
    this.#scanner.next();
  }

  #flowValue(end: TokenType): YamlNode {
    if (this.#peekIs('value')) {
      this.#scanner.next();
      if (!this.#peekIs('flow-entry', end)) return this.#node(false, false);
    }
    return this.#empty(this.#scanner.peek().line);
  }
}

function emptyScalar(line: number): ScalarNode {
  return { kind: 'scalar', line, text: '', tag: '', isImplicit: true };
}

/** Go-yaml's parser, unlike its scanner, counts lines from zero and does not name the first. */
function parserError(problem: string, problemLine: number, contextLine = 0): YamlError {
  const line = problemLine === 0 ? contextLine : problemLine;
  return new YamlError(`yaml: ${line === 0 ? '' : `line ${line}: `}${problem}`);
}

/** Reads the directives before a document; returns its tag handles with their prefixes. */
function tagDirectives(
  scanner: Scanner,
  error: (problem: string, line: number) => YamlError,
): ReadonlyMap<string, string> {
  const prefixes = new Map<string, string>();
  let hasVersion = false;
  for (let token = scanner.peek(); token.directive !== undefined; token = scanner.peek()) {
    const { directive, line } = token;
    if (directive.type === 'version') {
      if (hasVersion) throw error('found duplicate %YAML directive', line);
      if (`${directive.major}.${directive.minor}` !== '1.1')
        throw error('found incompatible YAML document', line);
      hasVersion = true;
    } else if (prefixes.has(directive.handle)) {
      throw error('found duplicate %TAG directive', line);
    } else {
      prefixes.set(directive.handle, directive.prefix);
    }
    scanner.next();
  }
  for (const [handle, prefix] of DEFAULT_PREFIXES) {
    if (!prefixes.has(handle)) prefixes.set(handle, prefix);
  }
  return prefixes;
}
