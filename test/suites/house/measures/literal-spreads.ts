import { parseSync } from 'oxc-parser';
import { type SyntaxNode, walk } from './syntax.ts';

/**
 * Offsets of spreads of an array or object that is written right there: `[...['a', 'b']]` says the same
 * as `['a', 'b']`, and is written only to make the formatter put several entries on a line.
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
