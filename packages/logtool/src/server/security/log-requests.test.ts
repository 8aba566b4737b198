import { expect, test } from 'vitest';
import { startDashboard } from '../../../../../test/support/server/start-dashboard.ts';

test('a request is logged with its path and status, and without the token of its address', async () => {
  const dashboard = await startDashboard();
  await dashboard.ask('/api/v1/nothing?token=very-secret&x=1&token=another-secret');
  const [entry, ...others] = dashboard.logged.filter(({ text }) => text === 'answered');
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    level: 'debug',
    fields: { method: 'GET', path: '/api/v1/nothing?token=***&x=1', status: 404 },
  });
  expect(JSON.stringify(dashboard.logged)).not.toMatch(/very-secret|another-secret/);
});
