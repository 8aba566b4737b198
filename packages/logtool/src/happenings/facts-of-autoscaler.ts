import type { KubeObject } from '@logtool/kube/src/client.ts';
import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import type { Fact } from '../domain/facts/fact.ts';
import { textOf } from '../resolve/pods/read-json.ts';
import { factsOfConditions } from './facts-of-workload.ts';
import { AUTOSCALERS } from './resources.ts';

/** The workload that an autoscaler scales, by its name: it gives no UID. */
export interface ScaleTarget {
  readonly kind: string;
  readonly name: string;
}

/** Returns the target of an autoscaler; with empty texts if it has none. */
export function scaleTargetOf(autoscaler: KubeObject): ScaleTarget {
  const spec = asRecord((autoscaler as KubeObject & { readonly spec?: unknown }).spec);
  const target = asRecord(spec?.scaleTargetRef);
  return { kind: textOf(target?.kind) ?? '', name: textOf(target?.name) ?? '' };
}

/** Conditions without which an autoscaler scales nothing (autoscaling/v2, HorizontalPodAutoscalerConditionType). */
const NEEDED: readonly string[] = ['AbleToScale', 'ScalingActive'];
/**
 * Reasons why it means not to scale: no replicas are wanted, or it waits after the last time
 * (pkg/controller/podautoscaler/horizontal.go).
 */
const INTENDED = /^(?:ScalingDisabled|Backoff)/;

/**
 * Returns the conditions of an autoscaler as facts about the workload that it scales. Whatever else its conditions report,
 * such as that it has reached its maximum, is how it works.
 */
export function factsOfAutoscaler(autoscaler: KubeObject): readonly Fact[] {
  const { kind, name } = scaleTargetOf(autoscaler);
  return factsOfConditions(AUTOSCALERS.kind, autoscaler).flatMap((fact) => {
    if (fact.kind !== 'workload-condition' || !NEEDED.includes(fact.data.type)) return [];
    const isTrouble = fact.data.status === 'False' && !INTENDED.test(fact.reason);
    const { namespace } = fact.subject;
    const severity = isTrouble ? ('warning' as const) : ('normal' as const);
    return [{ ...fact, severity, subject: { kind, namespace, name, uid: '' } }];
  });
}
