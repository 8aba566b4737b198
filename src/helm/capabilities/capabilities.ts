import type { ResourceType } from '../../kube/client.ts';

/** What `.Capabilities` tells templates about the cluster. */
export interface Capabilities {
  readonly kubeVersion: {
    /** `v1.35.0`, as the cluster says it. */
    readonly version: string;
    readonly major: string;
    readonly minor: string;
  };
  /** `v1`, `apps/v1` and `apps/v1/Deployment`. */
  readonly apiVersions: readonly string[];
}

/** From the version that a cluster tells and what it serves. */
export function capabilitiesOf(version: string, types: readonly ResourceType[]): Capabilities {
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
