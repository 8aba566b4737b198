import { parseSync } from 'oxc-parser';
import { type SyntaxNode, walk } from './syntax.ts';

const WAIT = /wait|delay|pause|interval|back_?off|retr/i;
const TIME = /(?:Ms|_MS|(?<!\w)ms)$/;
const FAILURES = /fail|tries|attempt|retr/i;
/** Functions that wait, or call back after a time. */
const WAITS = /^(?:sleep|setTimeout|setInterval|delay|later|after|pause|wait(?:For|Ms)?)$/;

type TextOf = (node: SyntaxNode) => string;

/**
 * Returns the offsets of growing waits: a multiple of a wait (`waitMs *= 2`), a power of the number of failures
 * (`2 ** failures`), and a table of waits. A variable is a wait if its name says so, or if a function that waits takes
 * it. A wait that grows by way of another variable is not detected.
 */
export function growingWaits(path: string, text: string): readonly number[] {
  const found: number[] = [];
  const textOf: TextOf = ({ start, end }) => text.slice(start, end);
  const program = parseSync(path, text).program as unknown as SyntaxNode;
  const waited = waitedIn(program, textOf);
  walk(program, (node) => {
    if (isGrown(node, waited, textOf) || isPower(node, textOf) || isTable(node)) found.push(node.start);
  });
  return found;
}

/** Returns the variables and fields that calls of functions that wait contain. */
function waitedIn(program: SyntaxNode, textOf: TextOf): ReadonlySet<string> {
  const found = new Set<string>();
  walk(program, (node) => {
    if (node.type !== 'CallExpression') return;
    const name = /#?(\w+)$/.exec(textOf(node.callee as SyntaxNode))?.[1] ?? '';
    if (!WAITS.test(name)) return;
    for (const argument of node.arguments as readonly SyntaxNode[])
      walk(argument, (inner) => {
        if (/^(?:Identifier|MemberExpression)$/.test(inner.type)) found.add(textOf(inner));
      });
  });
  return found;
}

/** Detects `wait = 2 * wait` and `wait = wait + wait`, also inside another expression, or with another wait. */
function isGrown(node: SyntaxNode, waited: ReadonlySet<string>, textOf: TextOf): boolean {
  if (node.type !== 'AssignmentExpression') return false;
  const [left, right] = [node.left as SyntaxNode, node.right as SyntaxNode];
  const name = textOf(left);
  if (!TIME.test(name) && !WAIT.test(name) && !waited.has(name)) return false;
  if (/^(?:\*\*?|<<)=$/.test(String(node.operator))) return true;
  if (node.operator === '+=') return textOf(right) === name;
  let grows = false;
  walk(right, (inner) => {
    if (inner.type !== 'BinaryExpression') return;
    const operands = [inner.left, inner.right].map((operand) => textOf(operand as SyntaxNode));
    const isMultiple = /^(?:\*\*?|<<)$/.test(String(inner.operator));
    grows ||= isMultiple && operands.some((operand) => operand === name || WAIT.test(operand));
    grows ||= inner.operator === '+' && operands.every((operand) => operand === name);
  });
  return grows;
}

function isPower(node: SyntaxNode, textOf: TextOf): boolean {
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
