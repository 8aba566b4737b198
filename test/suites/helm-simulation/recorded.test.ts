import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HELM_VERSIONS, type HelmVersion } from '../../support/oracles/helm.ts';
import { type Lab, OF_NAMESPACES, startLab, until } from './lab.ts';
import { normal, withoutTimes } from './normal.ts';
import {
  comparable,
  type RecordedCommand,
  readRecorded,
  recordedCalls,
  recordedChart,
  recordedObject,
} from './recorded-chart.ts';

/*
 * The real helms repeat on the simulated cluster what they did on the recorded one: they must send the same
 * requests in the same order, get the same statuses, and leave the same objects.
 */
const OBJECTS = [
  ['serviceaccount', 'serviceaccounts', ''],
  ['configmap', 'configmaps', ''],
  ['deployment', 'deployments', 'apps'],
] as const;

/** Waits until all pods of the deployment exist and none is being deleted. */
function ready(lab: Lab, namespace: string, replicas: number): Promise<void> {
  return until(lab, 'deployments.apps', namespace, 'tiny', (deployment) => {
    const { status, metadata } = deployment ?? {};
    return (
      status?.observedGeneration === metadata?.generation &&
      status?.readyReplicas === replicas &&
      status.replicas === replicas &&
      status.terminatingReplicas === 0
    );
  });
}

/**
 * Helm 4 watches each kind in a separate goroutine, and each discovers the resources. The first requests
 * everything at once; one that has already found its kind missing requests its group and version again
 * (addKnownGroupAndReload of controller-runtime's lazy REST mapper, pkg/client/apiutil): chance decides
 * which.
 */
function byTheWaitItself(call: string): boolean {
  return !['GET /api/v1 200', 'GET /apis/apps/v1 200'].includes(call);
}

const labs = new Map<HelmVersion, Lab>();
beforeAll(async () => {
  for (const version of HELM_VERSIONS) {
    const lab = await startLab();
    labs.set(version, lab);
    await lab.chart('tiny', recordedChart());
    // The recorder's helm knew the API from earlier commands.
    await lab.helm(version, 'upgrade', '--install', 'before', './tiny');
    await lab.helm(version, 'uninstall', 'before', '--wait');
  }
});
afterAll(async () => {
  for (const lab of labs.values()) await lab.close();
});

function labOf(version: HelmVersion): Lab {
  const lab = labs.get(version);
  if (lab === undefined) throw new Error(`no lab for helm ${version}`);
  return lab;
}

describe.each(HELM_VERSIONS)('helm %s', (version) => {
  const label = version.startsWith('4') ? 'v4' : 'v3';
  const namespace = `helm-${label}`;
  const play = async (name: string) => {
    const recorded = readRecorded<RecordedCommand>(`${label}-${name}`);
    const lab = labOf(version);
    const ran = await lab.helm(version, ...recorded.command.split(' ').slice(1));
    expect(ran.stderr).toBe('');
    expect(ran.exitCode).toBe(recorded.exitCode);
    return { recorded, ran, lab };
  };
  const sameCalls = async (name: string) => {
    const { recorded, ran } = await play(name);
    expect(ran.calls.map(comparable)).toEqual(recordedCalls(recorded));
  };
  const sameObjects = async (lab: Lab, step: string) => {
    for (const [file, plural, group] of OBJECTS) {
      const resource = group === '' ? plural : `${plural}.${group}`;
      const ours = lab.cluster.store.get(resource, namespace, 'tiny');
      expect(normal(ours)).toEqual(normal(recordedObject(`${label}-${step}-object-${file}`)));
    }
    const { items } = recordedObject(`${label}-${step}-release-secrets`) as { items: readonly object[] };
    const releases = items.map((item) => ({ kind: 'Secret', apiVersion: 'v1', ...item }));
    expect(normal(lab.cluster.store.list('secrets', namespace))).toEqual(normal(releases));
  };

  test('install asks the same and leaves the same objects, with the same owners of their fields', async () => {
    await sameCalls('install');
    const lab = labOf(version);
    await ready(lab, namespace, 1);
    await sameObjects(lab, 'install');
  });
  test('status and list print the same, apart from times and generated names', async () => {
    for (const name of ['status', 'list']) {
      const { recorded, ran } = await play(name);
      expect(withoutTimes(ran.stdout)).toBe(withoutTimes(recorded.stdout));
    }
  });
  test('upgrade asks the same and leaves the same objects', async () => {
    await sameCalls('upgrade');
    const lab = labOf(version);
    await ready(lab, namespace, 2);
    await sameObjects(lab, 'upgrade');
  });
  test('upgrade --wait asks the same, however often it looks', async () => {
    const { recorded, ran } = await play('upgrade-wait');
    const distinct = (calls: readonly string[]) => [...new Set(calls.filter(byTheWaitItself))].sort();
    expect(distinct(ran.calls.map(comparable))).toEqual(distinct(recordedCalls(recorded)));
    await ready(labOf(version), namespace, 1);
  });
  test('history prints the same, apart from times', async () => {
    const { recorded, ran } = await play('history');
    expect(withoutTimes(ran.stdout)).toBe(withoutTimes(recorded.stdout));
  });
  test('rollback and uninstall ask the same, and nothing is left', async () => {
    await sameCalls('rollback');
    await sameCalls('uninstall');
    const { store } = labOf(version).cluster;
    for (const resource of ['secrets', 'configmaps', 'serviceaccounts', 'deployments.apps']) {
      const names = store.list(resource, namespace).map(({ metadata }) => metadata.name);
      expect(names.filter((name) => !OF_NAMESPACES.includes(name))).toEqual([]);
    }
  });
});
