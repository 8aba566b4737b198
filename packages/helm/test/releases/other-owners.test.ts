import { join } from 'node:path';
import type { Progress } from '@logtool/helm/src/actions/action.ts';
import type { Kept } from '@logtool/helm/src/apply/kept.ts';
import { targetText } from '@logtool/helm/src/apply/target.ts';
import type { KeptReason } from '@logtool/helm/src/failures.ts';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { StoredObject } from '@logtool/simcluster/src/store/store.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { actionsOn } from '../../../../test/support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import { type ChartSource, chartOf, valuesOf, writeChart } from '../../../../test/support/helm/tiny-chart.ts';
import { HELM_VERSIONS } from '../../../../test/support/oracles/helm.ts';

/* Whatever a manifest or a hook says: an object of another release is neither deleted nor replaced, and is named. */
const NAME = 'meta.helm.sh/release-name';
const NAMESPACE = 'meta.helm.sh/release-namespace';
const configMap = (name: string, more = '', data = '{a: "1"}') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}${more}}\ndata: ${data}\n`;
const sourceOf = (...templates: readonly string[]): ChartSource => ({
  'Chart.yaml': 'apiVersion: v2\nname: tiny\nversion: 0.1.0\n',
  'values.yaml': 'extra: false\n',
  ...Object.fromEntries(templates.map((text, at) => [`templates/${at}.yaml`, text])),
});
const hooked = (name: string, events: string, policy = '') =>
  configMap(
    name,
    `, annotations: {helm.sh/hook: "${events}"${policy === '' ? '' : `, helm.sh/hook-delete-policy: "${policy}"`}}`,
    '{a: evil}',
  );
const extra = `{{- if .Values.extra }}\n${configMap('{{ .Release.Name }}-extra')}{{- end }}\n`;
const SMALL = sourceOf(configMap('{{ .Release.Name }}-cm'), extra);

let cluster: HelmCluster;
let on: ReturnType<typeof actionsOn>;
const reported: Progress[] = [];
beforeAll(async () => {
  cluster = await startHelmCluster();
  on = actionsOn(cluster.client, { onProgress: (progress) => reported.push(progress) });
});
beforeEach(() => {
  reported.length = 0;
});
afterAll(() => cluster.close());

type Held = StoredObject & { readonly data?: Readonly<Record<string, string>> };
const object = (name: string) => cluster.sim.store.get('configmaps', 'default', name) as Held | undefined;
const uid = (name: string) => object(name)?.metadata.uid;
const keptOf = () => reported.flatMap((one) => (one.kind === 'kept' ? [reasonOf(one.kept)] : []));
/** Which object stays, and why. */
const reasonOf = ({ target, why }: Kept) => ({ object: targetText(target), why });
const configMapText = (name: string) => `ConfigMap "${name}" in namespace "default"`;
const belongsTo = (name?: string, namespace?: string): KeptReason => ({
  by: 'other-release',
  owner: { name, namespace },
});
const absent = (key: string, wanted: string) =>
  ({ kind: 'annotation', key, wanted, actual: undefined }) as const;

/** Deletes an object and makes another of its name, as somebody with kubectl would. */
function replace(name: string, annotations?: Record<string, string>, labels?: Record<string, string>): void {
  if (object(name) !== undefined) cluster.sim.store.remove('configmaps', 'default', name);
  cluster.sim.store.create('configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      namespace: 'default',
      name,
      ...(annotations === undefined ? {} : { annotations }),
      ...(labels === undefined ? {} : { labels }),
    },
    data: { a: 'theirs' },
  });
}

/** Actions on a cluster in which something happens right before a deletion arrives. */
function beforeDelete(name: string, happens: () => void) {
  const client: KubeClient = new Proxy(cluster.client, {
    get: (real, key) =>
      key !== 'delete'
        ? Reflect.get(real, key)
        : (...[type, ref, options]: Parameters<KubeClient['delete']>) => {
            if (ref.name === name) happens();
            return real.delete(type, ref, options);
          },
  });
  return actionsOn(client, { onProgress: (progress) => reported.push(progress) });
}

/** The release heir has it, and only its annotations say so. */
const taken = (release: string, name: string) =>
  helmFailed('not-owned', {
    of: 'chart',
    release,
    objects: [
      {
        object: configMapText(name),
        marks: [
          { kind: 'label', key: 'app.kubernetes.io/managed-by', wanted: 'Helm', actual: undefined },
          { kind: 'annotation', key: NAME, wanted: release, actual: 'heir' },
        ],
      },
    ],
  });

describe('an object of the manifest', () => {
  test.each<[string, Record<string, string> | undefined, KeptReason]>([
    ['names another release and nothing else', { [NAME]: 'somebody-else' }, belongsTo('somebody-else')],
    ['names another namespace and nothing else', { [NAMESPACE]: 'team' }, belongsTo(undefined, 'team')],
    [
      'names a release of the same name in another namespace',
      { [NAME]: 'plain', [NAMESPACE]: 'team' },
      belongsTo('plain', 'team'),
    ],
    [
      'has no annotations',
      undefined,
      { by: 'no-mark', marks: [absent(NAME, 'plain'), absent(NAMESPACE, 'default')] },
    ],
    ['has only half of them', { [NAME]: 'plain' }, { by: 'no-mark', marks: [absent(NAMESPACE, 'default')] }],
  ])('that %s stays and is named', async (_case, annotations, why) => {
    await on.install('plain', chartOf(SMALL));
    replace('plain-cm', annotations, { 'app.kubernetes.io/managed-by': 'Helm' });
    const before = uid('plain-cm');
    for (const dryRun of [true, false]) {
      const { kept, deleted } = await on.uninstall('plain', { dryRun });
      expect(kept.map(reasonOf)).toEqual([{ object: configMapText('plain-cm'), why }]);
      expect(deleted).toEqual([]);
    }
    expect(uid('plain-cm')).toBe(before);
    expect(object('plain-cm')?.data).toEqual({ a: 'theirs' });
    cluster.sim.store.remove('configmaps', 'default', 'plain-cm');
  });

  test('that leaves the release in an upgrade stays if someone else created it again', async () => {
    await on.install('leaves', chartOf(SMALL), { values: valuesOf('extra: true') });
    replace('leaves-extra');
    const before = uid('leaves-extra');
    await on.upgrade('leaves', chartOf(SMALL), { values: valuesOf('extra: false') });
    expect(uid('leaves-extra')).toBe(before);
    const marks = [
      { kind: 'label', key: 'app.kubernetes.io/managed-by', wanted: 'Helm', actual: undefined },
      absent(NAME, 'leaves'),
      absent(NAMESPACE, 'default'),
    ];
    expect(keptOf()).toEqual([{ object: configMapText('leaves-extra'), why: { by: 'no-mark', marks } }]);
  });

  test('that is replaced between its check and its deletion stays and is named', async () => {
    await on.install('raced', chartOf(SMALL));
    const racing = beforeDelete('raced-cm', () => replace('raced-cm', { [NAME]: 'thief' }));
    const { kept, deleted } = await racing.uninstall('raced');
    expect(kept.map(reasonOf)).toEqual([{ object: configMapText('raced-cm'), why: { by: 'replaced' } }]);
    expect(deleted).toEqual([]);
    expect(object('raced-cm')?.data).toEqual({ a: 'theirs' });
  });

  test('that another release took is not changed by an upgrade, and nothing else is', async () => {
    await on.install('taken', chartOf(SMALL));
    replace('taken-cm', { [NAME]: 'heir', [NAMESPACE]: 'default' });
    reported.length = 0;
    await expect(on.upgrade('taken', chartOf(SMALL), { values: valuesOf('extra: true') })).rejects.toEqual(
      taken('taken', 'taken-cm'),
    );
    expect(reported).toEqual([]);
    expect(object('taken-cm')?.data).toEqual({ a: 'theirs' });
    expect(object('taken-extra')).toBeUndefined();
  });

  test('that another release took while a hook ran is not changed by an upgrade', async () => {
    const source = sourceOf(
      configMap('{{ .Release.Name }}-cm'),
      hooked('{{ .Release.Name }}-hook', 'pre-upgrade'),
    );
    await on.install('amid', chartOf(source));
    const stop = cluster.sim.store.subscribe('configmaps', ({ type, object: made }) => {
      if (type === 'ADDED' && made.metadata.name === 'amid-hook')
        setImmediate(() => replace('amid-cm', { [NAME]: 'heir' }));
    });
    await expect(on.upgrade('amid', chartOf(source))).rejects.toEqual(
      helmFailed('not-owned', {
        of: 'other-release',
        object: configMapText('amid-cm'),
        owner: { name: 'heir', namespace: undefined },
      }),
    );
    stop();
    expect(object('amid-cm')?.data).toEqual({ a: 'theirs' });
  });

  test('that nobody has marked is taken over by an upgrade, as with helm, and uninstalled then', async () => {
    await on.install('older', chartOf(SMALL));
    replace('older-cm');
    const before = uid('older-cm');
    // The data of somebody else's manager would conflict: only the marks are missing here.
    cluster.sim.store.update('configmaps', 'default', 'older-cm', (one) => {
      (one as { data?: unknown }).data = { a: '1' };
      return undefined;
    });
    await on.upgrade('older', chartOf(SMALL));
    expect(uid('older-cm')).toBe(before);
    const { kept } = await on.uninstall('older');
    expect(kept).toEqual([]);
    expect(object('older-cm')).toBeUndefined();
  });

  test('that a rollback restores is refused if another release has taken it', async () => {
    await on.install('back', chartOf(SMALL), { values: valuesOf('extra: true') });
    await on.upgrade('back', chartOf(SMALL), { values: valuesOf('extra: false') });
    replace('back-extra', { [NAME]: 'heir', [NAMESPACE]: 'default' });
    reported.length = 0;
    await expect(on.rollback('back', { revision: 1 })).rejects.toEqual(taken('back', 'back-extra'));
    expect(reported).toEqual([]);
    expect(object('back-extra')?.data).toEqual({ a: 'theirs' });
  });
});

describe('an object of a hook', () => {
  const VICTIM = sourceOf(configMap('victim-cm'));
  const refusal = (event = 'pre-delete') =>
    helmFailed('not-owned', {
      of: 'hooks',
      isChecked: true,
      objects: [
        {
          object: configMapText('victim-cm'),
          owner: { name: 'victim', namespace: 'default' },
          hook: { name: 'victim-cm', path: 'tiny/templates/0.yaml', events: [event] },
        },
      ],
    });
  let before: string | undefined;
  const untouched = () => {
    expect(uid('victim-cm')).toBe(before);
    expect(object('victim-cm')?.data).toEqual({ a: '1' });
  };
  beforeAll(async () => {
    await on.install('victim', chartOf(VICTIM));
    before = uid('victim-cm');
  });

  test.each([
    ['pre-install', ''],
    ['pre-install', 'hook-succeeded'],
    ['post-install', 'before-hook-creation,hook-succeeded'],
    ['pre-delete', ''],
  ])('that another release has is refused before an installation: %s %s', async (events, policy) => {
    const chart = chartOf(sourceOf(hooked('victim-cm', events, policy), configMap('thief-cm')));
    await expect(on.install('thief', chart)).rejects.toEqual(refusal(events));
    expect(reported).toEqual([]);
    untouched();
  });

  test.each(HELM_VERSIONS)(
    'that another release has is refused before an uninstallation of what helm %s installed',
    async (version) => {
      const path = await writeChart(
        join(cluster.home, `hookdel-${version}`),
        sourceOf(hooked('victim-cm', 'pre-delete'), configMap('hookdel-cm')),
      );
      await cluster.helm(version, 'install', 'hookdel', path, '--namespace', 'default');
      try {
        for (const dryRun of [true, false])
          await expect(on.uninstall('hookdel', { dryRun })).rejects.toEqual(refusal());
        expect(object('hookdel-cm')).toBeDefined();
        untouched();
      } finally {
        await cluster.helm(version, 'uninstall', 'hookdel', '--no-hooks', '--namespace', 'default');
      }
    },
  );

  test('that another release takes after the check is left as it is by the hook', async () => {
    const source = sourceOf(hooked('b-late', 'pre-delete'), hooked('a-first', 'pre-delete'));
    await on.install('late', chartOf(source));
    const stop = cluster.sim.store.subscribe('configmaps', ({ type, object: made }) => {
      if (type === 'ADDED' && made.metadata.name === 'a-first')
        setImmediate(() => replace('b-late', { [NAME]: 'heir' }));
    });
    await expect(on.uninstall('late')).rejects.toEqual(
      helmFailed('not-owned', {
        of: 'hooks',
        isChecked: false,
        objects: [
          {
            object: configMapText('b-late'),
            owner: { name: 'heir', namespace: undefined },
            hook: { name: 'b-late', path: 'tiny/templates/0.yaml', events: ['pre-delete'] },
          },
        ],
      }),
    );
    stop();
    expect(object('b-late')?.data).toEqual({ a: 'theirs' });
  });

  test('that another release takes while it runs outlives the delete policy, and is named', async () => {
    const source = sourceOf(
      hooked('a-done', 'pre-install', 'hook-succeeded'),
      hooked('b-next', 'pre-install'),
    );
    const stop = cluster.sim.store.subscribe('configmaps', ({ type, object: made }) => {
      if (type === 'ADDED' && made.metadata.name === 'b-next')
        setImmediate(() => replace('a-done', { [NAME]: 'heir', [NAMESPACE]: 'default' }));
    });
    await on.install('done', chartOf(source));
    stop();
    expect(keptOf()).toEqual([{ object: configMapText('a-done'), why: belongsTo('heir', 'default') }]);
    expect(object('a-done')?.data).toEqual({ a: 'theirs' });
  });

  test('that is replaced between its check and its deletion stays', async () => {
    const source = sourceOf(
      hooked('twice', 'pre-install,pre-delete'),
      hooked('swept', 'post-install', 'hook-succeeded'),
    );
    const sweeping = beforeDelete('swept', () => replace('swept'));
    await sweeping.install('races', chartOf(source));
    expect(keptOf()).toEqual([{ object: configMapText('swept'), why: { by: 'replaced' } }]);
    const racing = beforeDelete('twice', () => replace('twice'));
    await expect(racing.uninstall('races')).rejects.toEqual(
      helmFailed('not-owned', {
        of: 'replaced-hook',
        object: configMapText('twice'),
        hook: { name: 'twice', path: 'tiny/templates/0.yaml' },
      }),
    );
    expect(object('twice')?.data).toEqual({ a: 'theirs' });
  });

  test('that nobody has marked is replaced, as with helm: hooks bear no marks', async () => {
    const source = sourceOf(hooked('unmarked', 'pre-install'));
    replace('unmarked');
    await on.install('unmarks', chartOf(source));
    expect(object('unmarked')?.data).toEqual({ a: 'evil' });
  });

  test('that was an object of the release until this revision is replaced, and the new one stays', async () => {
    await on.install('turns', chartOf(sourceOf(configMap('turned'), configMap('stays'))));
    await on.upgrade('turns', chartOf(sourceOf(hooked('turned', 'pre-upgrade'), configMap('stays'))));
    expect(object('turned')?.data).toEqual({ a: 'evil' });
  });
});

test.each(HELM_VERSIONS)('what helm %s installs with hooks is uninstalled wholly', async (version) => {
  const name = `whole-${version.replaceAll('.', '-')}`;
  const source = sourceOf(
    configMap('{{ .Release.Name }}-cm'),
    `apiVersion: v1\nkind: Service\nmetadata: {name: {{ .Release.Name }}-web}\nspec: {ports: [{port: 80}], selector: {app: x}}\n`,
    hooked('{{ .Release.Name }}-again', 'pre-install,post-delete', 'before-hook-creation,hook-succeeded'),
    hooked('{{ .Release.Name }}-left', 'pre-install,pre-delete'),
    hooked('{{ .Release.Name }}-last', 'post-delete', 'hook-succeeded'),
  );
  const path = await writeChart(join(cluster.home, name), source);
  await cluster.helm(version, 'install', name, path, '--namespace', 'default');
  const first = uid(`${name}-left`);
  expect(first).toBeDefined();
  const { kept, deleted } = await on.uninstall(name);
  expect(kept).toEqual([]);
  expect(deleted.map(({ object: one }) => `${one.kind} ${one.name}`).sort()).toEqual([
    `ConfigMap ${name}-cm`,
    `Service ${name}-web`,
  ]);
  for (const one of ['cm', 'again', 'last']) expect(object(`${name}-${one}`)).toBeUndefined();
  expect(cluster.sim.store.get('services', 'default', `${name}-web`)).toBeUndefined();
  // A hook without another policy stays, as with helm; it has been replaced before it ran again.
  expect(uid(`${name}-left`)).not.toBe(first);
});
