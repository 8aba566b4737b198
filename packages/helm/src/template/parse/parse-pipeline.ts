import { quote } from '../../value/quote.ts';
import { unquote } from '../../value/unquote.ts';
import { readNumber } from './literal.ts';
import type { CommandNode, Operand, PipeNode, VariableNode } from './node.ts';
import { show } from './show.ts';
import type { Token, TokenKind } from './token.ts';
import type { TokenStream } from './token-stream.ts';

/** Parses the inside of an action: pipelines, their commands and operands. */
export class PipelineParser {
  readonly #tokens: TokenStream;
  readonly #isFunction: (name: string) => boolean;
  /** The variables in scope, innermost last. */
  variables = ['$'];

  constructor(tokens: TokenStream, isFunction: (name: string) => boolean) {
    this.#tokens = tokens;
    this.#isFunction = isFunction;
  }

  pipeline(context: string, end: TokenKind): PipeNode {
    const { at } = this.#tokens.peekNonSpace();
    const { variables, isAssignment } = this.#declarations(context);
    const commands: CommandNode[] = [];
    for (;;) {
      const token = this.#tokens.nextNonSpace();
      if (token.kind === end) break;
      if (!OPERAND_STARTS.has(token.kind)) throw this.#tokens.unexpected(token, context);
      this.#tokens.putBack(token);
      commands.push(this.#command());
    }
    if (commands.length === 0) throw this.#tokens.error(`missing value for ${context}`);
    commands.forEach(({ args }, index) => {
      if (index > 0 && CONSTANTS.has(args[0]!.kind)) {
        throw this.#tokens.error(`non executable command in pipeline stage ${index + 1}`);
      }
    });
    return { kind: 'pipe', source: this.#tokens.source, at, isAssignment, variables, commands };
  }

  #declarations(context: string): { readonly variables: VariableNode[]; readonly isAssignment: boolean } {
    const variables: VariableNode[] = [];
    for (;;) {
      const token = this.#tokens.peekNonSpace();
      if (token.kind !== 'variable') return { variables, isAssignment: false };
      this.#tokens.next();
      const after = this.#tokens.peek();
      const next = this.#tokens.peekNonSpace();
      const isComma = next.kind === 'char' && next.text === ',';
      if (next.kind !== 'assign' && next.kind !== 'declare' && !isComma) {
        // Not a declaration: keep a space after it, or `$x .y` would become `$x.y`.
        if (after.kind === 'space') this.#tokens.putBack(after);
        this.#tokens.putBack(token);
        return { variables, isAssignment: false };
      }
      this.#tokens.nextNonSpace();
      variables.push({
        kind: 'variable',
        source: this.#tokens.source,
        at: token.at,
        path: token.text.split('.'),
      });
      this.variables.push(token.text);
      if (!isComma) return { variables, isAssignment: next.kind === 'assign' };
      this.#checkComma(context, variables.length);
    }
  }

  /** Throws unless another variable may follow the comma just read. */
  #checkComma(context: string, declared: number): void {
    if (context !== 'range' || declared >= 2) {
      throw this.#tokens.error(`too many declarations in ${context}`);
    }
    if (!['variable', 'right-delimiter', 'right-paren'].includes(this.#tokens.peekNonSpace().kind)) {
      throw this.#tokens.error('range can only initialize variables');
    }
  }

  #command(): CommandNode {
    const { at } = this.#tokens.peekNonSpace();
    const args: Operand[] = [];
    for (;;) {
      this.#tokens.peekNonSpace();
      const operand = this.#operand();
      if (operand !== undefined) args.push(operand);
      const token = this.#tokens.next();
      if (token.kind === 'space') continue;
      if (token.kind === 'right-delimiter' || token.kind === 'right-paren') this.#tokens.putBack(token);
      else if (token.kind !== 'pipe') throw this.#tokens.unexpected(token, 'operand');
      break;
    }
    if (args.length === 0) throw this.#tokens.error('empty command');
    return { kind: 'command', source: this.#tokens.source, at, args };
  }

  #operand(): Operand | undefined {
    const node = this.#term();
    if (node === undefined || this.#tokens.peek().kind !== 'field') return node;
    const { at } = this.#tokens.peek();
    const fields: string[] = [];
    while (this.#tokens.peek().kind === 'field') fields.push(this.#tokens.next().text.slice(1));
    const source = this.#tokens.source;
    switch (node.kind) {
      case 'field':
      case 'variable':
        return { kind: node.kind, source, at, path: [...node.path, ...fields] };
      case 'bool':
      case 'string':
      case 'number':
      case 'nil':
      case 'dot':
        throw this.#tokens.error(`unexpected . after term ${quote(show(node))}`);
      case 'chain':
      case 'identifier':
      case 'pipe':
        return { kind: 'chain', source, at, of: node, path: fields };
    }
  }

  #term(): Operand | undefined {
    const token = this.#tokens.nextNonSpace();
    const { at, text } = token;
    const source = this.#tokens.source;
    switch (token.kind) {
      case 'identifier':
        if (!this.#isFunction(text)) throw this.#tokens.error(`function ${quote(text)} not defined`);
        return { kind: 'identifier', source, at, name: text };
      case 'dot':
      case 'nil':
        return { kind: token.kind, source, at };
      case 'variable':
        if (!this.variables.includes(text)) throw this.#tokens.error(`undefined variable ${quote(text)}`);
        return { kind: 'variable', source, at, path: [text] };
      case 'field':
        return { kind: 'field', source, at, path: [text.slice(1)] };
      case 'bool':
        return { kind: 'bool', source, at, value: text === 'true' };
      case 'character':
      case 'complex':
      case 'number': {
        const numbers = readNumber(text, token.kind);
        if (typeof numbers === 'string') throw this.#tokens.error(numbers);
        return { kind: 'number', source, at, literal: text, ...numbers };
      }
      case 'left-paren':
        return this.pipeline('parenthesized pipeline', 'right-paren');
      case 'string':
      case 'raw-string':
        return { kind: 'string', source, at, literal: text, value: this.unquoted(token) };
    }
    this.#tokens.putBack(token);
    return undefined;
  }

  /** Returns the text of a string token. */
  unquoted(token: Token): string {
    const text = unquote(token.text);
    if (text === undefined) throw this.#tokens.error('invalid syntax');
    return text;
  }
}

const OPERAND_STARTS: ReadonlySet<TokenKind> = new Set([
  'bool',
  'character',
  'complex',
  'dot',
  'field',
  'identifier',
  'number',
  'nil',
  'raw-string',
  'string',
  'variable',
  'left-paren',
]);

/** Operands that cannot receive the value of a pipeline. */
const CONSTANTS: ReadonlySet<Operand['kind']> = new Set(['bool', 'dot', 'nil', 'number', 'string']);
