import {
  CORE_SCHEMA,
  constructFromEvents,
  EVENT_ID,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from 'js-yaml';

/** A value of a YAML or JSON text and its line, from 1. */
export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

interface ScalarNode {
  readonly kind: 'scalar';
  readonly line: number;
  /** As the core schema of YAML 1.2 reads it: text, number, boolean or null. */
  readonly value: unknown;
  /** Offsets in the text, quotes and the header of a block included; -1 for an empty value. */
  readonly start: number;
  readonly end: number;
}

interface SequenceNode {
  readonly kind: 'sequence';
  readonly line: number;
  readonly items: readonly YamlNode[];
}

export interface MappingNode {
  readonly kind: 'mapping';
  readonly line: number;
  /** Offset in the text of its first key, or of `{`. */
  readonly start: number;
  /** In the order of the text; a key may occur twice. */
  readonly entries: readonly (readonly [key: YamlNode, value: YamlNode])[];
}

interface AliasNode {
  readonly kind: 'alias';
  readonly line: number;
}

type YamlEvent = ReturnType<typeof parseEvents>[number];
type ScalarEvent = Extract<YamlEvent, { readonly valueStart: number }>;

/**
 * Returns the documents of a text with the line of each value, which js-yaml's own values lack. Does not follow
 * aliases. Throws js-yaml's YAMLException, also for more than `maxDepth` nested collections.
 */
export function readYamlNodes(text: string, maxDepth = 100): readonly YamlNode[] {
  return new NodeReader(text, parseEvents(text, { maxDepth })).documents();
}

/** Returns the node at a path of keys and indexes; undefined if none exists. Of repeated keys, the last one counts. */
export function nodeAt(node: YamlNode | undefined, path: readonly PropertyKey[]): YamlNode | undefined {
  let found = node;
  for (const step of path) found = childOf(found, step);
  return found;
}

function childOf(node: YamlNode | undefined, step: PropertyKey): YamlNode | undefined {
  if (node?.kind === 'sequence') return typeof step === 'number' ? node.items[step] : undefined;
  if (node?.kind !== 'mapping') return undefined;
  return node.entries.findLast(([key]) => key.kind === 'scalar' && String(key.value) === String(step))?.[1];
}

/** The header of a block scalar, and what precedes its first line. */
const BLOCK_HEADER = /[|>][-+0-9]*[ \t]*(?:#[^\n]*)?\r?\n\s*$/;

/** js-yaml's offsets leave out quotes and the header of a block. */
function rangeOf(text: string, { style, valueStart: start, valueEnd: end }: ScalarEvent) {
  if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED)
    return { start: start - 1, end: end + 1 };
  if (style === SCALAR_STYLE.PLAIN) return { start, end };
  return { start: BLOCK_HEADER.exec(text.slice(0, start))?.index ?? start, end };
}

class NodeReader {
  readonly #text: string;
  readonly #events: readonly YamlEvent[];
  #at = 0;
  #line = 1;
  /** Offset in the text up to which the lines are counted. */
  #counted = 0;

  constructor(text: string, events: readonly YamlEvent[]) {
    this.#text = text;
    this.#events = events;
  }

  documents(): readonly YamlNode[] {
    const documents: YamlNode[] = [];
    while (this.#at < this.#events.length) {
      this.#at++;
      documents.push(...this.#children());
    }
    return documents;
  }

  /** Reads the nodes up to the end of the collection opened last. */
  #children(): YamlNode[] {
    const children: YamlNode[] = [];
    for (;;) {
      const event = this.#events[this.#at++];
      if (event === undefined || event.type === EVENT_ID.POP) return children;
      children.push(this.#node(event));
    }
  }

  #node(event: YamlEvent): YamlNode {
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return {
          kind: 'scalar',
          line: this.#lineAt(event.valueStart),
          value: this.#value(event),
          ...rangeOf(this.#text, event),
        };
      case EVENT_ID.SEQUENCE:
        return { kind: 'sequence', line: this.#lineAt(event.start), items: this.#children() };
      case EVENT_ID.MAPPING: {
        const line = this.#lineAt(event.start);
        const children = this.#children();
        const entries = children.flatMap((key, index) => {
          const value = children[index + 1];
          return index % 2 === 1 || value === undefined ? [] : [[key, value] as const];
        });
        return { kind: 'mapping', line, start: event.start, entries };
      }
      case EVENT_ID.ALIAS:
        return { kind: 'alias', line: this.#lineAt(event.anchorStart) };
      case EVENT_ID.DOCUMENT:
      case EVENT_ID.POP:
        throw new YAMLException('unexpected event');
    }
  }

  #value(event: ScalarEvent): unknown {
    try {
      const events: YamlEvent[] = [
        { type: EVENT_ID.DOCUMENT, explicitStart: false, explicitEnd: false, directives: [] },
        event,
        { type: EVENT_ID.POP },
      ];
      return constructFromEvents(events, { source: this.#text, schema: CORE_SCHEMA })[0];
    } catch {
      // The schema lacks the tag, so this returns only the text.
      return getScalarValue(this.#text, event);
    }
  }

  /**
   * Events come in the order of the text, so this counts each line once. An empty value has the line of the previous
   * value.
   */
  #lineAt(offset: number): number {
    for (; this.#counted < offset; this.#counted++) if (this.#text[this.#counted] === '\n') this.#line++;
    return this.#line;
  }
}
