import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { helmPath } from '../../test/support/oracles/helm.ts';
import { kubectlPath } from '../../test/support/oracles/kubectl.ts';
import type { BenchOptions } from '../options.ts';
import { sternPath } from './stern.ts';

/** A way to start logtool. */
export interface Logtool {
  readonly kind: 'node' | 'single file';
  readonly command: readonly string[];
}

export interface Programs {
  /** With Node, and the single file of `npm run build:binary` if it exists. */
  readonly logtools: readonly Logtool[];
  readonly kubectl: string;
  readonly helm: string;
  /** Undefined if it is neither installed nor buildable. */
  readonly stern: string | undefined;
}

export async function findPrograms(root: string, options: BenchOptions): Promise<Programs> {
  const singleFile = join(root, 'out/logtool');
  return {
    logtools: [
      { kind: 'node', command: [process.execPath, join(root, 'bin/logtool.js')] },
      ...(existsSync(singleFile) ? [{ kind: 'single file' as const, command: [singleFile] }] : []),
    ],
    kubectl: options.kubectl ?? (await kubectlPath()),
    helm: options.helm ?? (await helmPath('4.1.4')),
    stern: await sternPath(root),
  };
}
