import { parseSync } from 'oxc-parser';
import { type SyntaxNode, walk } from './syntax.ts';

/**
 * Returns the offsets of spreads of a literal array or object: `[...['a', 'b']]` equals `['a', 'b']`, and
 * only makes the formatter put several entries on a line.
 */
export function literalSpreads(path: string, text: string): readonly number[] {
  const found: number[] = [];
  walk(parseSync(path, text).program as unknown as SyntaxNode, (node) => {
    if (node.type === 'SpreadElement' && isLiteral(node.argument as SyntaxNode)) found.push(node.start);
  });
  return found;
}

/** Also in parentheses or with a type. */
function isLiteral({ type, expression }: SyntaxNode): boolean {
  if (/^(?:Array|Object)Expression$/.test(type)) return true;
  return /^(?:ParenthesizedExpression|TSAsExpression|TSSatisfiesExpression)$/.test(type)
    ? isLiteral(expression as SyntaxNode)
    : false;
}
