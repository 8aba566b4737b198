import { parseSync } from 'oxc-parser';
import { type SyntaxNode, walk } from './syntax.ts';

/**
 * Returns the offsets of members of classes and objects that need a blank line before them: a method of
 * several lines is separated from its neighbors. Short methods may be adjacent, and so may an object's plain
 * properties.
 */
export function crowdedMethods(path: string, text: string): readonly number[] {
  const found: number[] = [];
  walk(parseSync(path, text).program as unknown as SyntaxNode, (node) => {
    if (node.type !== 'ClassBody' && node.type !== 'ObjectExpression') return;
    const members = (node.type === 'ClassBody' ? node.body : node.properties) as readonly SyntaxNode[];
    for (const [index, member] of members.entries()) {
      const previous = members[index - 1];
      if (previous !== undefined && areCrowded(previous, member, node.type, text)) found.push(member.start);
    }
  });
  return found;
}

function areCrowded(previous: SyntaxNode, member: SyntaxNode, parent: string, text: string): boolean {
  const methods = [previous, member].filter(isMethod);
  const isPair = methods.length === 2 || (parent === 'ClassBody' && methods.length === 1);
  const hasLines = methods.some(({ start, end }) => text.slice(start, end).includes('\n'));
  return isPair && hasLines && !/\n\s*\n/.test(text.slice(previous.end, member.start));
}

function isMethod({ type, method, kind }: SyntaxNode): boolean {
  return type === 'MethodDefinition' || method === true || (type === 'Property' && kind !== 'init');
}
