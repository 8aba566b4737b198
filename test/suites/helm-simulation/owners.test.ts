import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HELM_VERSIONS } from '../../support/oracles/helm.ts';
import { type Lab, startLab } from './lab.ts';
import { recordedChart } from './recorded-chart.ts';

/* Field ownership when both helms and other clients write the same objects. */
let lab: Lab;
beforeAll(async () => {
  lab = await startLab();
  await lab.chart('tiny', recordedChart());
});
afterAll(() => lab?.close());

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly fieldsV1: Readonly<Record<string, unknown>>;
}
function owners(namespace: string, resource = 'configmaps'): readonly string[] {
  const fields = lab.cluster.store.get(resource, namespace, 'tiny')?.metadata.managedFields ?? [];
  return (fields as readonly Entry[]).map(({ manager, operation }) => `${manager} ${operation}`);
}

const [four, three] = HELM_VERSIONS;

test('helm 4 takes over what helm 3 installed, and becomes its applier', async () => {
  await lab.helm(three, 'install', 'tiny', './tiny', '-n', 'over', '--create-namespace');
  expect(owners('over')).toEqual(['helm Update']);
  const ran = await lab.helm(
    four,
    'upgrade',
    'tiny',
    './tiny',
    '-n',
    'over',
    '--set',
    'message=new',
    '--server-side=true',
  );
  expect(ran).toMatchObject({ stderr: '', exitCode: 0 });
  expect(owners('over')).toEqual(['helm Apply']);
  expect(lab.cluster.store.get('configmaps', 'over', 'tiny')?.data).toEqual({ message: 'new' });
});

test('helm 3 takes over what helm 4 installed, and back again', async () => {
  await lab.helm(four, 'install', 'tiny', './tiny', '-n', 'back', '--create-namespace');
  expect(owners('back')).toEqual(['helm Apply']);
  expect(
    await lab.helm(three, 'upgrade', 'tiny', './tiny', '-n', 'back', '--set', 'message=three'),
  ).toMatchObject({
    stderr: '',
    exitCode: 0,
  });
  expect(owners('back')).toEqual(['helm Apply', 'helm Update']);
  const again = await lab.helm(
    four,
    'upgrade',
    'tiny',
    './tiny',
    '-n',
    'back',
    '--set',
    'message=four',
    '--server-side=true',
  );
  expect(again).toMatchObject({ stderr: '', exitCode: 0 });
  expect(lab.cluster.store.get('configmaps', 'back', 'tiny')?.data).toEqual({ message: 'four' });
  expect(owners('back')).toEqual(['helm Apply']);
});

describe('somebody else changes a field that helm applied', () => {
  beforeAll(async () => {
    await lab.helm(four, 'install', 'tiny', './tiny', '-n', 'mine', '--create-namespace');
    const scaled = await lab.kubectl(
      '-n',
      'mine',
      'set',
      'image',
      'deployment/tiny',
      'main=registry.example.com/x:2',
    );
    expect(scaled).toMatchObject({ stderr: '', exitCode: 0 });
  });
  test('the field is theirs now', () => {
    expect(owners('mine', 'deployments.apps')).toContain('kubectl-set Update');
  });
  test('an upgrade that wants it is a conflict that names owner and field', async () => {
    const ran = await lab.helm(four, 'upgrade', 'tiny', './tiny', '-n', 'mine', '--set', 'replicas=2');
    expect(ran.exitCode).toBe(1);
    expect(ran.calls.some((call) => call.startsWith('PATCH /apis/apps/v1/') && call.endsWith(' 409'))).toBe(
      true,
    );
    expect(ran.stderr).toContain(
      'Apply failed with 1 conflict: conflict with "kubectl-set" using apps/v1: .spec.template.spec.containers[name="main"].image',
    );
  });
  test('--force-conflicts takes it back', async () => {
    const ran = await lab.helm(four, 'upgrade', 'tiny', './tiny', '-n', 'mine', '--force-conflicts');
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(owners('mine', 'deployments.apps')).not.toContain('kubectl-set Update');
  });
});

test('a chart with a field that no type has is refused by helm 4, and nothing of it is made', async () => {
  await lab.chart('typo', {
    'templates/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: typo }\nspec: { wrong: 1 }\n',
  });
  const ran = await lab.helm(four, 'install', 'typo', './typo');
  expect(ran.exitCode).toBe(1);
  expect(ran.stderr).toContain(
    'failed to create typed patch object (default/typo; /v1, Kind=ConfigMap): .spec: field not declared in schema',
  );
  expect(lab.cluster.store.get('configmaps', 'default', 'typo')).toBeUndefined();
});

test('what no update may change fails the upgrade in the words of the server', async () => {
  const template = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: { name: b }\n';
  await lab.chart('fixed', {
    'values.yaml': 'role: view\n',
    'templates/b.yaml': `${template}roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: {{ .Values.role }} }\n`,
  });
  await lab.helm(four, 'install', 'fixed', './fixed');
  for (const version of HELM_VERSIONS) {
    const ran = await lab.helm(version, 'upgrade', 'fixed', './fixed', '--set', 'role=edit');
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain('cannot change roleRef');
  }
});

test.each(HELM_VERSIONS)('a dry run on the server changes nothing (helm %s)', async (version) => {
  const ran = await lab.helm(version, 'install', 'dry', './tiny', '--dry-run=server');
  expect(ran).toMatchObject({ exitCode: 0 });
  expect(ran.stdout).toContain('kind: Deployment');
  expect(ran.calls.filter((call) => !call.startsWith('GET'))).toEqual([]);
  expect(lab.cluster.store.get('deployments.apps', 'default', 'dry')).toBeUndefined();
});

test('a client that scales owns the replicas, and helm 4 reports that instead of taking them back', async () => {
  await lab.helm(four, 'install', 'tiny', './tiny', '-n', 'scaled', '--create-namespace');
  const before = owners('scaled', 'deployments.apps');
  expect(before).not.toContain('kubectl Update');
  await lab.kubectl('scale', 'deployment', 'tiny', '-n', 'scaled', '--replicas=3');
  expect(owners('scaled', 'deployments.apps')).toContain('kubectl Update');
  const ran = await lab.helm(four, 'upgrade', 'tiny', './tiny', '-n', 'scaled', '--server-side=true');
  expect(ran.exitCode).toBe(1);
  expect(ran.stderr).toContain(
    'Apply failed with 1 conflict: conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas',
  );
});
