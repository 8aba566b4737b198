import type { ContainerSpec, PodTemplate } from '../controllers/objects.ts';
import { withTemplateDefaults } from '../controllers/pods/pod-defaults.ts';
import type { ScenarioContainer } from './container-schema.ts';
import type { ScenarioWorkload } from './schema.ts';

const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container';

/** Returns the labels that select the pods of a workload. */
export function selectorOf(workload: Pick<ScenarioWorkload, 'name'>): Record<string, string> {
  return { 'app.kubernetes.io/name': workload.name };
}

/** Returns the pod template of a workload. */
export function podTemplate(workload: ScenarioWorkload): PodTemplate {
  const annotations = {
    ...(workload.defaultContainer === undefined ? {} : { [DEFAULT_CONTAINER]: workload.defaultContainer }),
    ...workload.annotations,
  };
  const of = (...kinds: ScenarioContainer['kind'][]) =>
    workload.containers.filter((c) => kinds.includes(c.kind));
  const inits = of('init', 'sidecar').map(containerSpec);
  return {
    metadata: {
      labels: { ...selectorOf(workload), ...workload.labels },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    spec: withTemplateDefaults({
      ...(inits.length === 0 ? {} : { initContainers: inits }),
      containers: of('regular').map(containerSpec),
      restartPolicy:
        workload.restartPolicy ??
        (workload.kind === 'Job' || workload.kind === 'CronJob' ? 'Never' : 'Always'),
      terminationGracePeriodSeconds: workload.gracePeriodSeconds,
      ...(workload.hostNetwork ? { hostNetwork: true } : {}),
      ...(workload.nodeName === undefined ? {} : { nodeName: workload.nodeName }),
      ...(Object.keys(workload.nodeSelector).length === 0 ? {} : { nodeSelector: workload.nodeSelector }),
      ...(workload.kind === 'DaemonSet' ? { tolerations: [{ operator: 'Exists' }] } : {}),
      ...workload.podSpec,
    }),
  };
}

export function containerSpec(container: ScenarioContainer): ContainerSpec {
  const { name, image, command, args, env, port, requests, limits } = container;
  return {
    name,
    image,
    ...(command === undefined ? {} : { command }),
    ...(args === undefined ? {} : { args }),
    ...(env === undefined ? {} : { env: Object.entries(env).map(([key, value]) => ({ name: key, value })) }),
    ...(port === undefined ? {} : { ports: [{ name: 'main', containerPort: port, protocol: 'TCP' }] }),
    resources: {
      ...(limits === undefined ? {} : { limits }),
      ...(requests === undefined ? {} : { requests }),
    },
    ...(container.kind === 'sidecar' ? { restartPolicy: 'Always' } : {}),
    ...container.spec,
  };
}
