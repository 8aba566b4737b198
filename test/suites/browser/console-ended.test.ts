import { test } from 'vitest';
import { heldLines, openConsole } from './console-page.ts';
import { eventually } from './eventually.ts';
import { TALK, WEB } from './talk-scenario.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: TALK });

test('in a range with an end, the foot reports that the cluster is away, until it is back', async () => {
  const range = [-3_600_000, 0].map((ms) => new Date(Date.now() + ms).toISOString());
  const { page } = await openConsole(world, [WEB], { query: `from=${range[0]}&to=${range[1]}&tz=utc` });
  await eventually(() => heldLines(page)).toBe(300);
  const connection = page.getByRole('status', { name: 'Connection' });
  const hits = page.getByRole('status', { name: 'Search' });
  await eventually(() => connection.textContent()).toBe('ended');
  await world.cluster.control.killServer();
  try {
    await page.getByRole('searchbox', { name: 'Search in the logs' }).fill('"line 30"');
    await eventually(() => connection.textContent()).toBe('cluster not responding, retrying');
  } finally {
    await world.cluster.startServer();
  }
  await eventually(() => connection.textContent()).toBe('ended');
  await eventually(() => hits.textContent()).toMatch(/^2 hits in (\S+ )?\S+ to /);
});
