import type { ResourceType } from '@logtool/kube/src/client.ts';
import type { RenderCapabilities } from '../render/capabilities.ts';

/** From the version that a cluster tells and what it serves. */
export function capabilitiesOf(version: string, types: readonly ResourceType[]): RenderCapabilities {
  const found = /^v?(\d+)\.(\d+)/.exec(version);
  const apiVersions = new Set<string>();
  for (const { group, version: served, kind } of types) {
    const place = group === '' ? served : `${group}/${served}`;
    apiVersions.add(place).add(`${place}/${kind}`);
  }
  return {
    kubeVersion: { version, major: found?.[1] ?? '', minor: found?.[2] ?? '' },
    apiVersions: [...apiVersions],
  };
}
