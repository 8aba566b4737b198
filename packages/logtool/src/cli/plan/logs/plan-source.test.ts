import { expect, test } from 'vitest';
import { codeOf, planOf } from '../../../../../../test/support/cli/plan-of.ts';

const sourceOf = async (...argv: string[]) => (await planOf(['web', ...argv])).source;

test.each([
  [['-n', 'a,b', '--namespace=c'], { namespaces: ['a', 'b', 'c'], allNamespaces: false }],
  [['--all-namespaces'], { namespaces: undefined, allNamespaces: true }],
  [['--container=app,log-*'], { containers: ['app', 'log-*'] }],
  [
    ['--exclude-container', 'istio-proxy', '--exclude-pod=web-*'],
    { excludeContainers: ['istio-proxy'], excludePods: ['web-*'] },
  ],
  [['--init-containers=false', '--no-ephemeral-containers'], { excludeKinds: ['init', 'ephemeral'] }],
  [['--init-containers', '--ephemeral-containers=true'], { excludeKinds: [] }],
  [['--container-state=running,Terminated'], { containerStates: ['running', 'terminated'] }],
  [['--container-state=running,all'], { containerStates: undefined }],
  [
    ['--field-selector', 'status.phase!=Running,spec.nodeName=n1'],
    { fieldSelector: 'status.phase!=Running,spec.nodeName=n1' },
  ],
])('%j', async (argv, expected) => expect(await sourceOf(...argv)).toMatchObject(expected));

test.each([
  [['--all-namespaces', '-n', 'shop'], 'exclusive-namespaces'],
  [['--container=app|log'], 'bad-name'],
  [['--exclude-pod=web-.*'], 'bad-name'],
  [['--container-state=dead'], 'bad-choice'],
  [['--field-selector=Running'], 'bad-field-selector'],
  [['--field-selector=status.phase=Running,x'], 'bad-field-selector'],
])('%j is %s', async (argv, code) => expect(await codeOf(['web', ...argv])).toBe(code));

test('a namespace of the environment gives way to flags', async () => {
  const env = { LOGTOOL_NAMESPACE: 'shop,db' };
  const namespaces = async (...argv: string[]) => (await planOf(['web', ...argv], { env })).source.namespaces;
  expect(await namespaces()).toEqual(['shop', 'db']);
  expect(await namespaces('-n', 'web')).toEqual(['web']);
  expect(await namespaces('--all-namespaces')).toBeUndefined();
});
