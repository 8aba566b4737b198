import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import type { ContainerKind, ContainerState } from '../../domain/container.ts';
import { listOf, textOf } from './read-json.ts';

/** When the kubelet starts a container again. */
export interface RestartPolicy {
  readonly policy: 'Always' | 'OnFailure' | 'Never';
  /** Exit codes that start it again whatever the policy says (restartPolicyRules). */
  readonly rules: readonly { readonly inside: boolean; readonly exitCodes: readonly unknown[] }[];
}

/**
 * The policy of one container. A sidecar restarts always; an init container that succeeded is done, so `Always` means
 * `OnFailure` there; ephemeral containers run once. A container's own restartPolicy goes before the pod's.
 * https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy
 */
export function policyOf(
  kind: ContainerKind,
  container: Readonly<Record<string, unknown>>,
  podPolicy: string | undefined,
): RestartPolicy {
  if (kind === 'ephemeral') return { policy: 'Never', rules: [] };
  const written = textOf(container.restartPolicy) ?? podPolicy ?? 'Always';
  const policy = written === 'Never' || written === 'OnFailure' ? written : 'Always';
  const rules = listOf(container.restartPolicyRules).flatMap((rule) => {
    const codes = asRecord(rule.exitCodes);
    return codes === undefined || textOf(rule.action)?.startsWith('Restart') !== true
      ? []
      : [{ inside: codes.operator === 'In', exitCodes: Array.isArray(codes.values) ? codes.values : [] }];
  });
  return { policy: kind === 'init' && policy === 'Always' ? 'OnFailure' : policy, rules };
}

/**
 * Whether a container of a live pod may run (again). A waiting one will: it was not started yet, or its restart is
 * held back.
 */
export function restartsAgain({ policy, rules }: RestartPolicy, state: ContainerState): boolean {
  switch (state.kind) {
    case 'waiting':
      return true;
    case 'running':
      return policy !== 'Never' || rules.length > 0;
    case 'terminated':
      return (
        policy === 'Always' ||
        (policy === 'OnFailure' && state.exitCode !== 0) ||
        rules.some((rule) => rule.inside === rule.exitCodes.includes(state.exitCode))
      );
  }
}
