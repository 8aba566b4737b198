import { parseSync } from 'oxc-parser';
import { childrenOf, type SyntaxNode } from './syntax.ts';

/** A function of a file, as the measures see it. */
export interface MeasuredFunction {
  /** `name` or `Class.method`; an unnamed function has its enclosing name followed by `()`. */
  readonly name: string;
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
  readonly lines: number;
  /** Nesting depth of branches and loops; `else if` counts as its `if`. */
  readonly depth: number;
  /** Whether it lists the tests of a `describe`: its length is theirs. */
  readonly isSuite: boolean;
}

const FUNCTIONS = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const NESTING =
  /^(IfStatement|ForStatement|ForInStatement|ForOfStatement|WhileStatement|DoWhileStatement|SwitchStatement|TryStatement)$/;

/** Returns all functions of a TypeScript file in order, including nested ones. */
export function functionsOf(path: string, text: string): readonly MeasuredFunction[] {
  const found: MeasuredFunction[] = [];
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;

  function visitFunction(node: SyntaxNode, name: string, start: number, isSuite: boolean): void {
    const { end } = node;
    const index = found.push({ name, start, end, lines: 0, depth: 0, isSuite }) - 1;
    const depth = Math.max(0, ...childrenOf(node).map((child) => visit(child, name, 0, node)));
    found[index] = { name, start, end, lines: lineAt(end) - lineAt(start) + 1, depth, isSuite };
  }

  /** Returns the depth that its statements reach. */
  function visit(node: SyntaxNode, scope: string, depth: number, parent: SyntaxNode): number {
    if (FUNCTIONS.test(node.type)) {
      // A method's name comes before its function node.
      visitFunction(
        node,
        ownName(node, parent, scope),
        isMethod(parent) ? parent.start : node.start,
        isDescribe(parent),
      );
      return depth;
    }
    const isElseIf = node.type === 'IfStatement' && parent.alternate === node;
    const own = NESTING.test(node.type) && !isElseIf ? depth + 1 : depth;
    const inner = node.type.startsWith('Class') ? (nameOf(node.id) ?? scope) : scope;
    return Math.max(own, ...childrenOf(node).map((child) => visit(child, inner, own, node)));
  }

  const program = parseSync(path, text).program as unknown as SyntaxNode;
  visit(program, '', 0, program);
  return found;
}

/** Whether a node calls `describe`, also as `describe.each(...)(...)`. */
function isDescribe({ type, callee, object, tag, name }: SyntaxNode): boolean {
  if (type === 'Identifier') return name === 'describe';
  const inner = (callee ?? object ?? tag) as SyntaxNode | undefined;
  return inner !== undefined && /^(?:Call|Member|TaggedTemplate)Expression$/.test(type) && isDescribe(inner);
}

const isMethod = ({ type, method }: SyntaxNode) => type === 'MethodDefinition' || method === true;

function ownName(node: SyntaxNode, parent: SyntaxNode, scope: string): string {
  if (parent.type === 'MethodDefinition' || parent.type === 'PropertyDefinition')
    return `${scope}.${nameOf(parent.key) ?? '[]'}`;
  return nameOf(node.id) ?? nameOf(parent.id) ?? nameOf(parent.key) ?? `${scope}()`;
}

function nameOf(node: unknown): string | undefined {
  const { type, name, value } = (node ?? {}) as Record<string, unknown>;
  if (typeof name === 'string') return type === 'PrivateIdentifier' ? `#${name}` : name;
  return typeof value === 'string' ? value : undefined;
}
