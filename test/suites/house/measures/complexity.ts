import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './source-files.ts';

interface Report {
  readonly diagnostics: readonly {
    readonly category: string;
    readonly message: string;
    readonly location: {
      readonly path: string;
      readonly start: { readonly line: number; readonly column: number };
    };
  }[];
}

export interface ComplexFunction {
  readonly path: string;
  /** Line, from 1, of its name or its first token. */
  readonly line: number;
  readonly column: number;
  /** https://www.sonarsource.com/resources/cognitive-complexity/ */
  readonly complexity: number;
}

/** Returns functions of the repository with a cognitive complexity above 15, by Biome's rule. */
export async function complexFunctions(): Promise<readonly ComplexFunction[]> {
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const rule = 'complexity/noExcessiveCognitiveComplexity';
  const args = ['lint', `--only=${rule}`, '--reporter=json', '--max-diagnostics=none', '.'];
  // Biome exits with 1 if the rule finds something, and warns on stderr that its JSON may change.
  const text = await new Promise<string>((resolve) =>
    execFile(process.execPath, [biome, ...args], { cwd: ROOT, maxBuffer: 2 ** 26 }, (_, out) => resolve(out)),
  );
  return (JSON.parse(text) as Report).diagnostics.map(({ message, location: { path, start } }) => {
    const complexity = Number(/complexity of (\d+)/.exec(message)?.[1]);
    if (Number.isNaN(complexity)) throw new Error(`${path}: ${message}`);
    return { path, ...start, complexity };
  });
}
