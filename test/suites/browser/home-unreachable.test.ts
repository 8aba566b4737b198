import { test } from 'vitest';
import { rowOf } from './home-page.ts';
import { SHOP } from './shop-scenario.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: SHOP });
const WEB = 'shop:deployments/web';
const GONE = [/Failed to load resource/];

test('home 15: a cluster that cannot be reached shows the cause and Retry', async () => {
  await world.cluster.control.killServer();
  try {
    const { page } = await world.visit('/?ctx=admin', { allows: GONE });
    const alert = page.getByRole('alert');
    await alert.getByText(/connection refused/).waitFor();
    await world.cluster.startServer();
    await alert.getByRole('button', { name: 'Retry' }).click();
    await rowOf(page, WEB).waitFor();
  } finally {
    await world.cluster.startServer();
  }
});
