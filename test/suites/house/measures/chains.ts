import {
  type Expression,
  isBinaryExpression,
  isBlock,
  isConditionalExpression,
  isContinueStatement,
  isIfStatement,
  isParenthesizedExpression,
  isReturnStatement,
  isSatisfiesExpression,
  isStringLiteral,
  isThrowStatement,
  isTypeOfExpression,
  type Node,
  type SourceFile,
  type Statement,
  SyntaxKind,
} from 'typescript/unstable/ast';
import type { Checker } from 'typescript/unstable/sync';
import { inProjects, isLiteral, membersOf } from './projects.ts';

/** Comparisons of one value with members of a closed union, whose rest takes the last branch without being named. */
export interface LooseChain {
  /** Absolute path. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The compared expression. */
  readonly over: string;
  /** The members that no branch names. */
  readonly rest: readonly string[];
}

/**
 * Returns the chains of TypeScript projects in which a new member of a union of texts would take the last branch
 * without notice: `a ? b : c ? d : e`, `if … else if … else`, and `if (…) return` after `if (…) return`. One branch is
 * no chain: "this member, or any other" needs no decision for a new one. Nor does a chain that picks out the minority of
 * the members: its last branch means all others. `VALUE satisfies MEMBERS` in the last branch names the rest, so the
 * compiler rejects a new member.
 */
export function looseChains(
  configFiles: readonly string[],
  isMeasured: (file: string) => boolean,
): readonly LooseChain[] {
  return inProjects(configFiles, isMeasured, (file, checker) =>
    chainsOf(file).flatMap((chain) => looseness(chain, file, checker)),
  );
}

interface Branch {
  readonly over: Expression;
  readonly members: readonly string[];
}

interface Chain {
  readonly branches: readonly Branch[];
  /** What runs for the rest; nothing: an implicit return. */
  readonly last: readonly Node[];
}

function chainsOf(file: SourceFile): readonly Chain[] {
  const chains: Chain[] = [];
  // Parts of a longer chain are no chains of their own.
  const taken = new Set<Node>();
  const add = (links: readonly Link[]): void => {
    for (const { node } of links) taken.add(node);
    chains.push(...splitByValue(links, file));
  };
  const visit = (node: Node): undefined => {
    if (!taken.has(node)) {
      if (isConditionalExpression(node)) add(linksOfConditional(node, file));
      for (const links of linksOfStatements(node, file, taken)) add(links);
    }
    node.forEachChild(visit);
  };
  if (/===/.test(file.text)) visit(file);
  return chains.filter(({ branches }) => branches.length > 1);
}

/** One condition, and what runs if it does not hold. */
interface Link {
  readonly node: Node;
  readonly branch: Branch | undefined;
  readonly otherwise: readonly Node[];
}

function linksOfConditional(node: Node, file: SourceFile): readonly Link[] {
  const inner = withoutParentheses(node);
  if (!isConditionalExpression(inner)) return [];
  const link = { node: inner, branch: branchOf(inner.condition, file), otherwise: [inner.whenFalse] };
  return [link, ...linksOfConditional(inner.whenFalse, file)];
}

/** Returns the chains of `if` among the statements of a node. */
function linksOfStatements(
  node: Node,
  file: SourceFile,
  taken: ReadonlySet<Node>,
): readonly (readonly Link[])[] {
  const statements = (node as { readonly statements?: Iterable<Statement> }).statements;
  if (statements === undefined) return isIfStatement(node) ? [linksOfElse(node, file)] : [];
  const all = [...statements];
  const chains: Link[][] = [[]];
  for (const [index, statement] of all.entries()) {
    if (!isIfStatement(statement) || taken.has(statement)) {
      chains.push([]);
      continue;
    }
    const links = linksOfElse(statement, file, all.slice(index + 1));
    chains.at(-1)?.push(...links);
    if (statement.elseStatement !== undefined || !isLeaving(statement.thenStatement)) chains.push([]);
  }
  return chains;
}

function linksOfElse(node: Node, file: SourceFile, following: readonly Statement[] = []): readonly Link[] {
  if (!isIfStatement(node)) return [];
  const { elseStatement } = node;
  const otherwise = elseStatement === undefined ? following : [elseStatement];
  const link = { node, branch: branchOf(node.expression, file), otherwise };
  return elseStatement === undefined ? [link] : [link, ...linksOfElse(elseStatement, file)];
}

/** Splits a chain where another value is compared, or a condition is more than a comparison. */
function splitByValue(links: readonly Link[], file: SourceFile): readonly Chain[] {
  const chains: { branches: Branch[]; last: readonly Node[] }[] = [];
  let before: string | undefined;
  for (const { branch, otherwise } of links) {
    const over = branch?.over.getText(file);
    const chain = chains.at(-1);
    if (branch !== undefined && over === before && chain !== undefined) {
      chain.branches.push(branch);
      chain.last = otherwise;
    } else if (branch !== undefined) chains.push({ branches: [branch], last: otherwise });
    before = over;
  }
  return chains;
}

/** Returns what `a === 'x'` and `a === 'x' || a === 'y'` compare; undefined for any other condition. */
function branchOf(condition: Expression, file: SourceFile): Branch | undefined {
  const inner = withoutParentheses(condition);
  if (!isBinaryExpression(inner)) return undefined;
  const { left, operatorToken, right } = inner;
  if (operatorToken.kind === SyntaxKind.BarBarToken) {
    const sides = [branchOf(left, file), branchOf(right, file)] as const;
    const [one, other] = sides;
    if (one === undefined || other === undefined || one.over.getText(file) !== other.over.getText(file))
      return undefined;
    return { over: one.over, members: [...one.members, ...other.members] };
  }
  if (operatorToken.kind !== SyntaxKind.EqualsEqualsEqualsToken || !isStringLiteral(right)) return undefined;
  return { over: left, members: [JSON.stringify(right.text)] };
}

function withoutParentheses(node: Node): Node {
  return isParenthesizedExpression(node) ? withoutParentheses(node.expression) : node;
}

function isLeaving(statement: Statement): boolean {
  const last = isBlock(statement) ? [...statement.statements].at(-1) : statement;
  return (
    last !== undefined && (isReturnStatement(last) || isThrowStatement(last) || isContinueStatement(last))
  );
}

function looseness({ branches, last }: Chain, file: SourceFile, checker: Checker): readonly LooseChain[] {
  const over = branches[0]?.over;
  if (over === undefined || isTypeOfExpression(over) || last.some(namesRest)) return [];
  const types = membersOf(checker.getTypeAtLocation(over));
  if (!types.every(isLiteral)) return [];
  const named = new Set(branches.flatMap(({ members }) => members));
  const rest = types.map((type) => checker.typeToString(type)).filter((name) => !named.has(name));
  if (rest.length === 0 || rest.length > named.size) return [];
  const line = file.text.slice(0, over.getStart(file)).split('\n').length;
  return [{ file: file.fileName, line, over: over.getText(file), rest }];
}

function namesRest(node: Node): boolean {
  return isSatisfiesExpression(node) || node.forEachChild((child) => namesRest(child) || undefined) === true;
}
