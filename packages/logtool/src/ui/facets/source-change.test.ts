import { expect, test } from 'vitest';
import { addContainer, hasAllContainers, switchAllContainers } from './source-change.ts';

test('a container is added beside what is shown, also where a pod was named without its kind', () => {
  const args = ['shop:deployments/*', 'shop:db-0'];
  expect(addContainer(args, 'shop:deployments/*', 'metrics')).toEqual([
    ...args,
    'shop:deployments/*/metrics',
  ]);
  expect(addContainer(args, 'shop:db-0', 'backup')).toEqual([...args, 'shop:pods/db-0/backup']);
  expect(addContainer(['a/b/c'], 'a/b/c', 'c')).toEqual(['a/b/c']);
});

test('all containers take the place of single ones, and the default ones that of all', () => {
  const args = ['shop:deployments/web', 'shop:deployments/web/proxy', 'shop:db-0'];
  const all = switchAllContainers(args, true);
  expect(all).toEqual(['shop:deployments/web/*', 'shop:pods/db-0/*']);
  expect([hasAllContainers(args), hasAllContainers(all), hasAllContainers([])]).toEqual([false, true, false]);
  expect(switchAllContainers(all, false)).toEqual(['shop:deployments/web', 'shop:pods/db-0']);
});
