import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import type { ContainerKind, ContainerState } from '../../domain/container.ts';
import { listOf, textOf } from './read-json.ts';

/** When the kubelet restarts a container. */
export interface RestartPolicy {
  readonly policy: 'Always' | 'OnFailure' | 'Never';
  /** Exit codes that restart it whatever the policy is (restartPolicyRules). */
  readonly rules: readonly { readonly inside: boolean; readonly exitCodes: readonly unknown[] }[];
}

/**
 * Returns the policy of one container. A sidecar always restarts. An init container that succeeded is done, so `Always`
 * means `OnFailure` there. Ephemeral containers run once. A container's own restartPolicy takes precedence over the
 * pod's.
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
 * Returns whether a container of a live pod may run (again). A waiting one will: it has not started yet, or its restart
 * is delayed.
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
