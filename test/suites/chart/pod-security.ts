/*
 * Requirements of the Pod Security level "restricted" that a chart can violate:
 * https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
 */

interface SecurityContext {
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly privileged?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly seccompProfile?: { readonly type: string };
  readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
}

interface Container {
  readonly name: string;
  readonly securityContext?: SecurityContext;
  readonly ports?: readonly { readonly hostPort?: number }[];
}

export interface PodSpec {
  readonly automountServiceAccountToken?: boolean;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly securityContext?: SecurityContext;
  readonly volumes?: readonly Readonly<Record<string, unknown>>[];
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
}

const VOLUMES = new Set([
  'name',
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

/** Returns every violation of the level as text; none: the pod is admitted. */
export function offences(pod: PodSpec): readonly string[] {
  const found: string[] = [];
  const check = (isFine: boolean, offence: string) => {
    if (!isFine) found.push(offence);
  };
  for (const host of ['hostNetwork', 'hostPID', 'hostIPC'] as const) check(pod[host] !== true, host);
  for (const volume of pod.volumes ?? [])
    for (const kind of Object.keys(volume)) check(VOLUMES.has(kind), `volume of type ${kind}`);
  for (const { name, securityContext: own = {}, ports = [] } of [
    ...(pod.initContainers ?? []),
    ...pod.containers,
  ]) {
    const all = { ...pod.securityContext, ...own };
    check(own.privileged !== true, `${name}: privileged`);
    check(own.allowPrivilegeEscalation === false, `${name}: allowPrivilegeEscalation`);
    check(own.capabilities?.drop?.includes('ALL') === true, `${name}: capabilities are not dropped`);
    check(
      (own.capabilities?.add ?? []).every((added) => added === 'NET_BIND_SERVICE'),
      `${name}: capabilities`,
    );
    check(all.runAsNonRoot === true, `${name}: runAsNonRoot`);
    check(all.runAsUser !== 0, `${name}: runAsUser`);
    check(
      ['RuntimeDefault', 'Localhost'].includes(all.seccompProfile?.type ?? ''),
      `${name}: seccompProfile`,
    );
    check(
      ports.every(({ hostPort }) => hostPort === undefined),
      `${name}: hostPort`,
    );
  }
  return found;
}
