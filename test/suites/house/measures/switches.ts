import {
  type CaseClause,
  type DefaultClause,
  isBlock,
  isReturnStatement,
  isSwitchStatement,
  isThrowStatement,
  isTypeOfExpression,
  type Node,
  type SourceFile,
  type Statement,
  type SwitchStatement,
  SyntaxKind,
} from 'typescript/unstable/ast';
import type { Checker } from 'typescript/unstable/sync';
import { inProjects, isLiteral, membersOf } from './projects.ts';

/** A switch over a closed union that a new member could pass through without notice. */
export interface LooseSwitch {
  /** Absolute path. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The expression between the parentheses. */
  readonly over: string;
  /** The members without a `case`; empty if only `default: VALUE satisfies never` is missing. */
  readonly missing: readonly string[];
}

/**
 * Returns the switches of TypeScript projects in which a new member of a union would not be noticed: a member
 * has no `case`, or code after the switch runs for a member without one, and no `satisfies never` keeps the
 * compiler from accepting it. A union is closed if it consists of literals alone; `typeof` and types with
 * `string`, `number` or `unknown` are open.
 */
export function looseSwitches(
  configFiles: readonly string[],
  isMeasured: (file: string) => boolean,
): readonly LooseSwitch[] {
  return inProjects(configFiles, isMeasured, (file, checker) =>
    switchesOf(file).flatMap((node) => looseness(node, file, checker)),
  );
}

function switchesOf(file: SourceFile): readonly SwitchStatement[] {
  const found: SwitchStatement[] = [];
  const visit = (node: Node): undefined => {
    if (isSwitchStatement(node)) found.push(node);
    node.forEachChild(visit);
  };
  // Most files have none, and visiting a tree is slow.
  if (/\bswitch \(/.test(file.text)) visit(file);
  return found;
}

function looseness(node: SwitchStatement, file: SourceFile, checker: Checker): readonly LooseSwitch[] {
  if (isTypeOfExpression(node.expression)) return [];
  const members = membersOf(checker.getTypeAtLocation(node.expression));
  if (!members.every(isLiteral)) return [];
  const clauses = [...node.caseBlock.clauses];
  const handled = new Set(
    clauses
      .filter((clause) => clause.kind === SyntaxKind.CaseClause)
      .flatMap((clause) => membersOf(checker.getTypeAtLocation((clause as CaseClause).expression)))
      .map((type) => checker.typeToString(type)),
  );
  const missing = members.map((type) => checker.typeToString(type)).filter((name) => !handled.has(name));
  if (missing.length === 0 && isChecked(clauses, file, checker)) return [];
  const line = file.text.slice(0, node.getStart(file)).split('\n').length;
  return [{ file: file.fileName, line, over: node.expression.getText(file), missing }];
}

/**
 * Whether the compiler rejects a new member: by `satisfies never`, or because each clause returns a value or
 * throws. In a function without a value it accepts a missing return.
 */
function isChecked(
  clauses: readonly (CaseClause | DefaultClause)[],
  file: SourceFile,
  checker: Checker,
): boolean {
  const fallback = clauses.find(({ kind }) => kind === SyntaxKind.DefaultClause);
  if (fallback !== undefined) return /\bsatisfies never\b/.test(fallback.getText(file));
  return clauses.every(
    ({ statements }) => statements.length === 0 || endsWithValue([...statements], checker),
  );
}

function endsWithValue(statements: readonly Statement[], checker: Checker): boolean {
  const last = statements.at(-1);
  if (last === undefined) return false;
  if (isBlock(last)) return endsWithValue([...last.statements], checker);
  if (isThrowStatement(last)) return true;
  if (!isReturnStatement(last) || last.expression === undefined) return false;
  const type = checker.getTypeAtLocation(last.expression);
  return type !== undefined && !/^any$|\bvoid\b/.test(checker.typeToString(type));
}
