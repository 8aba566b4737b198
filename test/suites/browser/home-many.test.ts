import { expect, test } from 'vitest';
import { eventually } from './eventually.ts';
import { rowSources, searchField } from './home-page.ts';
import { timeAnswer } from './time-answer.ts';
import { openWorld } from './world.ts';

const world = openWorld({
  scenario: {
    startDelays: 'none',
    namespace: 'shop',
    namespaces: ['shop'],
    nodes: [{ name: 'node', copies: 20, pods: 600 }],
    users: [{ name: 'somebody' }],
    workloads: [
      { kind: 'Deployment', name: 'service', copies: 500, replicas: 20, containers: [{ name: 'app' }] },
    ],
  },
});

test('home 7: search answers within 100 ms with highlights, 10,000 pods included', async () => {
  const { page } = await world.visit('/?ctx=admin');
  await page.getByText(/10,000 pods/).waitFor();
  await searchField(page).focus();
  // Measured inside the page, from the key to the frame with the new rows. A busy machine is slower than the
  // page, so the fastest of several keys counts.
  const tookMs: number[] = [];
  let typed = '';
  for (const key of 'ervice-49') {
    typed += key;
    tookMs.push(
      await timeAnswer(
        page,
        () => page.keyboard.type(key),
        (wanted) => {
          const links = [...document.querySelectorAll('tbody tr[data-source] .row-link')];
          return (
            links.length > 0 && links.every((link) => link.querySelector('mark')?.textContent === wanted)
          );
        },
        typed,
      ),
    );
  }
  expect(Math.min(...tookMs)).toBeLessThan(100);
  await eventually(() => rowSources(page)).toContain('shop:deployments/service-49');
  // A pasted pod name finds the pod among all of them.
  const pod = world.cluster.store.list('pods', 'shop').at(7_777)?.metadata.name ?? '';
  await searchField(page).fill(pod);
  await eventually(() => rowSources(page)).toEqual([`shop:pods/${pod}`]);
  expect(await page.locator('tbody mark').allInnerTexts()).toEqual([pod]);
});
