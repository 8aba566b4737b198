import { quote } from '../../value/quote.ts';
import type { BranchNode, ListNode, Node, PipeNode, StopNode, Tree } from './node.ts';
import { PipelineParser } from './parse-pipeline.ts';
import { show } from './show.ts';
import type { Token } from './token.ts';
import { TokenStream } from './token-stream.ts';

/**
 * Parses a template's text into the trees that it defines, with its own under `name`. The grammar and the error
 * messages are those of https://pkg.go.dev/text/template, without comments.
 *
 * Throws ParseError, as `template: NAME:LINE: what`.
 */
export function parseTemplate(
  name: string,
  text: string,
  isFunction: (name: string) => boolean,
): Map<string, Tree> {
  const tokens = new TokenStream({ name, text });
  try {
    return new Parser(tokens, isFunction).parse();
  } catch (error) {
    // Nested so deeply that the stack overflowed.
    if (error instanceof RangeError) throw tokens.error('max expression depth exceeded');
    throw error;
  }
}

type Control = 'if' | 'with' | 'range';

class Parser {
  readonly #tokens: TokenStream;
  readonly #pipelines: PipelineParser;
  readonly #trees = new Map<string, Tree>();
  #rangeDepth = 0;

  constructor(tokens: TokenStream, isFunction: (name: string) => boolean) {
    this.#tokens = tokens;
    this.#pipelines = new PipelineParser(tokens, isFunction);
  }

  parse(): Map<string, Tree> {
    const root: ListNode = {
      kind: 'list',
      source: this.#tokens.source,
      at: this.#tokens.peek().at,
      nodes: [],
    };
    while (this.#tokens.peek().kind !== 'end-of-file') {
      if (this.#tokens.peek().kind === 'left-delimiter') {
        const delimiter = this.#tokens.next();
        const first = this.#tokens.nextNonSpace();
        if (first.kind === 'define') {
          this.#definition();
          continue;
        }
        this.#tokens.putBack(first);
        this.#tokens.putBack(delimiter);
      }
      const node = this.#textOrAction();
      if (isStop(node)) throw this.#tokens.error(`unexpected ${show(node)}`);
      root.nodes.push(node);
    }
    this.#add(this.#tokens.source.name, root);
    return this.#trees;
  }

  #add(name: string, root: ListNode): void {
    const existing = this.#trees.get(name);
    if (existing === undefined || isEmptyTree(existing.root)) this.#trees.set(name, { name, root });
    else if (!isEmptyTree(root))
      throw this.#tokens.error(`template: multiple definition of template ${quote(name)}`);
  }

  /** Parses a separate tree inside this text, for `define` or `block`. */
  #inner(context: string, name: () => string): string {
    const outer = [this.#pipelines.variables, this.#tokens.actionLine, this.#rangeDepth] as const;
    this.#pipelines.variables = ['$'];
    this.#tokens.actionLine = 0;
    this.#rangeDepth = 0;
    const inner = name();
    const [list, end] = this.#itemList();
    if (end.kind !== 'end') throw this.#tokens.error(`unexpected ${show(end)} in ${context}`);
    this.#add(inner, list);
    [this.#pipelines.variables, this.#tokens.actionLine, this.#rangeDepth] = outer;
    return inner;
  }

  #definition(): void {
    this.#inner('define clause', () => {
      const token = this.#tokens.expect(['string', 'raw-string'], 'define clause');
      const name = this.#pipelines.unquoted(token);
      this.#tokens.expect(['right-delimiter'], 'define clause');
      return name;
    });
  }

  #itemList(): [ListNode, StopNode] {
    const list: ListNode = {
      kind: 'list',
      source: this.#tokens.source,
      at: this.#tokens.peekNonSpace().at,
      nodes: [],
    };
    while (this.#tokens.peekNonSpace().kind !== 'end-of-file') {
      const node = this.#textOrAction();
      if (isStop(node)) return [list, node];
      list.nodes.push(node);
    }
    throw this.#tokens.error('unexpected EOF');
  }

  #textOrAction(): Node | StopNode {
    const token = this.#tokens.nextNonSpace();
    if (token.kind === 'text')
      return { kind: 'text', source: this.#tokens.source, at: token.at, text: token.text };
    if (token.kind !== 'left-delimiter') throw this.#tokens.unexpected(token, 'input');
    this.#tokens.actionLine = token.line;
    const node = this.#action();
    this.#tokens.actionLine = 0;
    return node;
  }

  #action(): Node | StopNode {
    const token = this.#tokens.nextNonSpace();
    const source = this.#tokens.source;
    switch (token.kind) {
      case 'block':
        return this.#block();
      case 'break':
      case 'continue':
        return this.#jump(token.kind, token.at);
      case 'else':
        return this.#else();
      case 'end':
        return { kind: 'end', source, at: this.#tokens.expect(['right-delimiter'], 'end').at };
      case 'if':
      case 'range':
      case 'with':
        return this.#control(token.kind);
      case 'template':
        return this.#template();
    }
    this.#tokens.putBack(token);
    return {
      kind: 'action',
      source,
      at: token.at,
      pipe: this.#pipelines.pipeline('command', 'right-delimiter'),
    };
  }

  #jump(kind: 'break' | 'continue', at: number): Node {
    const token = this.#tokens.nextNonSpace();
    if (token.kind !== 'right-delimiter') throw this.#tokens.unexpected(token, `{{${kind}}}`);
    if (this.#rangeDepth === 0) throw this.#tokens.error(`{{${kind}}} outside {{range}}`);
    return { kind, source: this.#tokens.source, at };
  }

  #else(): StopNode {
    const token = this.#tokens.peekNonSpace();
    // `{{else if` is an else whose list begins with an if: leave the keyword for that.
    if (token.kind === 'if' || token.kind === 'with')
      return { kind: 'else', source: this.#tokens.source, at: token.at };
    return {
      kind: 'else',
      source: this.#tokens.source,
      at: this.#tokens.expect(['right-delimiter'], 'else').at,
    };
  }

  #control(kind: Control): BranchNode {
    const declared = this.#pipelines.variables.length;
    const pipe = this.#pipelines.pipeline(kind, 'right-delimiter');
    if (kind === 'range') this.#rangeDepth++;
    const [list, stop] = this.#itemList();
    if (kind === 'range') this.#rangeDepth--;
    const otherwise = stop.kind === 'else' ? this.#otherwise(kind, stop) : undefined;
    this.#pipelines.variables.length = declared;
    return { kind, source: this.#tokens.source, at: pipe.at, pipe, list, otherwise };
  }

  #otherwise(kind: Control, stop: StopNode): ListNode {
    if (kind !== 'range' && this.#tokens.peek().kind === kind) {
      this.#tokens.next();
      return { kind: 'list', source: this.#tokens.source, at: stop.at, nodes: [this.#control(kind)] };
    }
    const [list, end] = this.#itemList();
    if (end.kind !== 'end') throw this.#tokens.error(`expected end; found ${show(end)}`);
    return list;
  }

  #block(): Node {
    const context = 'block clause';
    const token = this.#tokens.nextNonSpace();
    const name = this.#templateName(token, context);
    const pipe = this.#pipelines.pipeline(context, 'right-delimiter');
    this.#inner(context, () => name);
    return { kind: 'template', source: this.#tokens.source, at: token.at, name, pipe };
  }

  #template(): Node {
    const context = 'template clause';
    const token = this.#tokens.nextNonSpace();
    const name = this.#templateName(token, context);
    const next = this.#tokens.nextNonSpace();
    let pipe: PipeNode | undefined;
    if (next.kind !== 'right-delimiter') {
      this.#tokens.putBack(next);
      pipe = this.#pipelines.pipeline(context, 'right-delimiter');
    }
    return { kind: 'template', source: this.#tokens.source, at: token.at, name, pipe };
  }

  #templateName(token: Token, context: string): string {
    if (token.kind !== 'string' && token.kind !== 'raw-string') throw this.#tokens.unexpected(token, context);
    return this.#pipelines.unquoted(token);
  }
}

function isStop(node: Node | StopNode): node is StopNode {
  return node.kind === 'end' || node.kind === 'else';
}

/** Whether a tree is only space: such a tree never replaces another of its name. */
export function isEmptyTree(root: ListNode): boolean {
  return root.nodes.every((node) => node.kind === 'text' && BLANK.test(node.text));
}

const BLANK = /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/;
