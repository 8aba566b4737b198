import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortPodNames, speakerNames } from './speaker-names.ts';

const container = (pod: string, name = 'app', namespace = 'shop') => ({ namespace, pod, container: name });
const namesOf = (...all: readonly ReturnType<typeof container>[]) => [...speakerNames(all).values()];

test('a pod is called by its workload and the end that differs, as long as that is clear', () => {
  const pods = ['checkout-79ff75dfcd-njwj2', 'checkout-79ff75dfcd-2mdwf', 'report-29123456-x7k2p', 'db-0'];
  expect([...shortPodNames(pods).values()]).toEqual([
    'checkout-njwj2',
    'checkout-2mdwf',
    'report-x7k2p',
    'db-0',
  ]);
  expect([...shortPodNames(['web-6b54d5-4tmnr', 'web-79ff75-4tmnr']).values()]).toEqual([
    'web-6b54d5-4tmnr',
    'web-79ff75-4tmnr',
  ]);
});

test('the name of a DaemonSet stays whole, though it has a part as long as a hash', () => {
  expect([...shortPodNames(['log-agent-x7k2p']).values()]).toEqual(['log-agent-x7k2p']);
});

test('under a heading generated ends stand for pods as long as they are apart', () => {
  expect([...shortPodNames(['web-6b54d-4tmnr', 'web-6b54d-kmr5q', 'db-0'], 'web').values()]).toEqual([
    '…4tmnr',
    '…kmr5q',
    'db-0',
  ]);
  expect([...shortPodNames(['web-a-4tmnr', 'web-b-4tmnr'], 'web').values()]).toEqual([
    'web-a-4tmnr',
    'web-b-4tmnr',
  ]);
});

test('container and namespace are named where they differ', () => {
  const [one, two] = ['checkout-79ff75dfcd-njwj2', 'checkout-79ff75dfcd-2mdwf'];
  expect(namesOf(container(one!), container(two!))).toEqual(['checkout-njwj2', 'checkout-2mdwf']);
  expect(namesOf(container(one!), container(one!, 'proxy'))).toEqual([
    'checkout-njwj2/app',
    'checkout-njwj2/proxy',
  ]);
  expect(namesOf(container('db-0'), container('db-0', 'app', 'bank'))).toEqual(['shop/db-0', 'bank/db-0']);
});

test('no two containers have one name', () => {
  const piece = fc.constantFrom('a', 'bcdfg', 'web', '7d4f9c', '4tmnr');
  const pod = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('-'));
  const any = fc.record({ namespace: piece, pod, container: piece });
  fc.assert(
    fc.property(fc.uniqueArray(any, { selector: (each) => JSON.stringify(each) }), (all) => {
      const names = speakerNames(all);
      expect(names.size).toBe(all.length);
      expect(new Set(names.values()).size).toBe(all.length);
    }),
  );
});
