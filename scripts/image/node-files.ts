import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ImageFile } from './image-file.ts';
import type { Lock, Platform } from './lock.ts';
import { runTool } from './run-tool.ts';
import { stripElf } from './strip-elf.ts';

/** The same version as in the Dockerfile's bases. */
export const NODE_MAJOR = 22;

export function nodePackage({ npm }: Pick<Platform, 'npm'>): string {
  return `node-linux-${npm}`;
}

/** Returns the Node program, stripped, and its licenses, from its npm package. The path matches distroless images. */
export function nodeFiles(folder: string, platform: Platform, { node }: Lock): readonly ImageFile[] {
  const tarball = nodeTarball(folder, platform, node);
  const read = (path: string) =>
    runTool('tar', ['--extract', '--gzip', '--to-stdout', '--file', tarball, path]);
  return [
    { name: 'nodejs/bin/node', mode: 0o755, data: stripElf(read('package/bin/node')) },
    { name: 'nodejs/LICENSE', data: read('package/LICENSE') },
  ];
}

function nodeTarball(folder: string, platform: Platform, node: Lock['node']): string {
  const name = nodePackage(platform);
  const integrity = node.integrity[platform.architecture];
  const file = join(folder, `${name}-${node.version}.tgz`);
  if (existsSync(file) && integrityOf(file) === integrity) return file;
  mkdirSync(folder, { recursive: true });
  const draft = mkdtempSync(join(folder, 'draft-'));
  try {
    runTool('npm', ['pack', `${name}@${node.version}`, '--prefer-offline', '--pack-destination', draft]);
    const packed = join(draft, readdirSync(draft)[0] ?? '');
    if (integrityOf(packed) !== integrity)
      throw new Error(`${name}@${node.version} of npm is not what scripts/image/lock.json names`);
    renameSync(packed, file);
  } finally {
    rmSync(draft, { recursive: true });
  }
  return file;
}

function integrityOf(file: string): string {
  return `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
}
