import { podSpec, podStatus, timeText } from '../controllers/objects.ts';
import { type PodsTarget, podsOf } from './event-targets.ts';
import type { Simulation } from './simulation.ts';
import type { TimelineEvent } from './timeline-schema.ts';

type GateEvent = Extract<TimelineEvent, { action: 'ungate' | 'condition' }>;
type ConditionEvent = Extract<TimelineEvent, { action: 'condition' }>;

/** Plays what another controller does about the gates of pods. Throws a SimClusterError if there is no such pod. */
export function playGateEvent(simulation: Simulation, event: GateEvent): void {
  if (event.action === 'ungate') ungate(simulation, event);
  else setPodCondition(simulation, event);
}

function ungate(simulation: Simulation, event: PodsTarget): void {
  for (const { metadata } of podsOf(simulation, event))
    simulation.store.update('pods', metadata.namespace, metadata.name, (pod) => {
      delete podSpec(pod).schedulingGates;
      pod.metadata.generation = (pod.metadata.generation ?? 1) + 1;
      return undefined;
    });
}

function setPodCondition(simulation: Simulation, event: ConditionEvent): void {
  const { type, status, reason, message } = event;
  const { cluster, store } = simulation;
  for (const { metadata } of podsOf(simulation, event))
    store.update('pods', metadata.namespace, metadata.name, (pod) => {
      const others = (podStatus(pod).conditions ?? []).filter((one) => one.type !== type);
      const condition = {
        type,
        status,
        lastProbeTime: null,
        lastTransitionTime: timeText(cluster.clock.now()),
        ...(reason === undefined ? {} : { reason }),
        ...(message === undefined ? {} : { message }),
      };
      pod.status = { ...pod.status, conditions: [...others, condition] };
      return undefined;
    });
}
