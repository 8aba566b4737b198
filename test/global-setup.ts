import { HELM_VERSIONS, helmPath } from './oracle/helm.ts';
import { kubectlPath } from './oracle/kubectl.ts';

/** The real binaries are unpacked once, before the test files that compare with them run side by side. */
export default async function setUp(): Promise<void> {
  await Promise.all([kubectlPath(), ...HELM_VERSIONS.map(helmPath)]);
}
