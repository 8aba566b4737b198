import { visitorKeys } from 'oxc-parser';

/** A node of the syntax tree, with its offsets in the text. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  return (visitorKeys[node.type] ?? []).flatMap((key) => node[key] ?? []).filter(isNode);
}

/** Calls `visit` with a node and with all nodes inside it. */
export function walk(node: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  visit(node);
  for (const child of childrenOf(node)) walk(child, visit);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}
