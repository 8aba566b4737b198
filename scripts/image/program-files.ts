import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImageFile } from './image-file.ts';
import { runTool } from './run-tool.ts';

/** Excludes documents, which an image cannot show: it has neither a shell nor `man`. */
const TO_READ = /^(?:docs\/|README\.md$)/;

/** Returns the program's files that npm would pack, without files of earlier builds that are still in dist/. */
export function programFiles(root: string): readonly ImageFile[] {
  const built = new Set(JSON.parse(readFileSync(join(root, 'dist/.files.json'), 'utf8')) as string[]);
  return packedFiles(root)
    .filter(({ path }) => !TO_READ.test(path))
    .filter(({ path }) => !path.startsWith('dist/') || built.has(path.slice('dist/'.length)))
    .map(({ path, mode }) => ({
      name: `logtool/${path}`,
      mode: (mode & 0o100) === 0 ? 0o644 : 0o755,
      data: readFileSync(join(root, path)),
    }));
}

interface Packed {
  readonly path: string;
  readonly mode: number;
}

/** npm prints a list of packages; newer versions print an object by name. */
function packedFiles(root: string): readonly Packed[] {
  const text = runTool('npm', ['pack', root, '--dry-run', '--ignore-scripts', '--json']).toString();
  const [found] = Object.values(JSON.parse(text) as Record<string, { readonly files: readonly Packed[] }>);
  if (found === undefined || found.files.length === 0) throw new Error('npm pack lists no files');
  return found.files;
}
