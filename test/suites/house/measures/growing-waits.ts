import { parseSync } from 'oxc-parser';
import { type SyntaxNode, walk } from './syntax.ts';

const WAIT = /wait|delay|pause|interval|back_?off|retr/i;
const TIME = /(?:Ms|_MS)$/;
const FAILURES = /fail|tries|attempt|retr/i;

/**
 * Returns the offsets of growing waits, found by their names: a multiple of a wait (`waitMs *= 2`), a power
 * of the number of failures (`2 ** failures`), and a table of waits. Other names are not detected.
 */
export function growingWaits(path: string, text: string): readonly number[] {
  const found: number[] = [];
  const textOf = ({ start, end }: SyntaxNode) => text.slice(start, end);
  walk(parseSync(path, text).program as unknown as SyntaxNode, (node) => {
    if (isGrown(node, textOf) || isPower(node, textOf) || isTable(node)) found.push(node.start);
  });
  return found;
}

/** Detects `wait = 2 * wait`, also inside another expression, or with another wait. */
function isGrown(node: SyntaxNode, textOf: (node: SyntaxNode) => string): boolean {
  if (node.type !== 'AssignmentExpression') return false;
  const [left, right] = [node.left as SyntaxNode, node.right as SyntaxNode];
  const name = textOf(left);
  if (!TIME.test(name) && !WAIT.test(name)) return false;
  if (/^(?:\*\*?|<<)=$/.test(String(node.operator))) return true;
  let grows = false;
  walk(right, (inner) => {
    if (inner.type !== 'BinaryExpression' || !/^(?:\*\*?|<<)$/.test(String(inner.operator))) return;
    const operands = [inner.left, inner.right].map((operand) => textOf(operand as SyntaxNode));
    grows ||= operands.some((operand) => operand === name || WAIT.test(operand));
  });
  return grows;
}

function isPower(node: SyntaxNode, textOf: (node: SyntaxNode) => string): boolean {
  const isOperator = node.type === 'BinaryExpression' && /^(?:\*\*|<<)$/.test(String(node.operator));
  if (isOperator) return FAILURES.test(textOf(node.right as SyntaxNode));
  if (node.type !== 'CallExpression' || textOf(node.callee as SyntaxNode) !== 'Math.pow') return false;
  return FAILURES.test(textOf((node.arguments as SyntaxNode[])[1] ?? node));
}

/** Detects a variable named after waits with several numbers. */
function isTable({ type, id, init }: SyntaxNode): boolean {
  if (type !== 'VariableDeclarator' || init === null) return false;
  const value = init as SyntaxNode;
  const list = value.type === 'TSAsExpression' ? (value.expression as SyntaxNode) : value;
  if (list.type !== 'ArrayExpression' || !WAIT.test(String((id as SyntaxNode).name))) return false;
  const elements = list.elements as readonly (SyntaxNode | null)[];
  return elements.length > 1 && elements.every((one) => typeof one?.value === 'number');
}
