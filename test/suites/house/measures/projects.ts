import type { SourceFile } from 'typescript/unstable/ast';
import { API, type Checker, type Type, TypeFlags } from 'typescript/unstable/sync';

/**
 * Returns what a measure finds in the files of TypeScript projects, each read once.
 *
 * Uses the compiler's own types: its interface is not stable yet, so a new version may need a change here.
 */
export function inProjects<T>(
  configFiles: readonly string[],
  isMeasured: (file: string) => boolean,
  findingsOf: (file: SourceFile, checker: Checker) => readonly T[],
): readonly T[] {
  const api = new API();
  try {
    const snapshot = api.updateSnapshot({ openProjects: [...configFiles] });
    const seen = new Set<string>();
    return snapshot.getProjects().flatMap(({ program, checker, rootFiles }) =>
      rootFiles.flatMap((path) => {
        if (seen.has(path) || !isMeasured(path)) return [];
        seen.add(path);
        const file = program.getSourceFile(path);
        return file === undefined ? [] : findingsOf(file, checker);
      }),
    );
  } finally {
    api.close();
  }
}

export function membersOf(type: Type | undefined): readonly Type[] {
  if (type === undefined) return [];
  return type.isUnionType() ? type.getTypes() : [type];
}

export function isLiteral({ flags }: Type): boolean {
  const closed = TypeFlags.Literal | TypeFlags.Undefined | TypeFlags.Null | TypeFlags.Never;
  return (flags & closed) !== 0;
}
