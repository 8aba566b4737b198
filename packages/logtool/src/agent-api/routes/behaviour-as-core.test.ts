import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AggregatedLogs } from '../../../../../test/support/agent-api/aggregated-logs.ts';

/** The real kubectl reads the same log through the simulated aggregation layer and from core. */
let logs: AggregatedLogs;
beforeAll(async () => {
  const lines = Array.from({ length: 50 }, (_, index) => `line ${index} naïve ✓`);
  logs = await AggregatedLogs.start({
    nodes: ['node-1', 'node-2'],
    workloads: [
      { kind: 'Pod', namespace: 'shop', name: 'web', containers: [{ name: 'app', lines }] },
      {
        kind: 'Pod',
        namespace: 'shop',
        name: 'pair',
        containers: [
          { name: 'setup', kind: 'init', lines: ['set up'], exit: { code: 0 } },
          { name: 'app', lines: ['of app'] },
          { name: 'side', lines: ['of side'] },
        ],
      },
      {
        kind: 'Pod',
        namespace: 'shop',
        name: 'stuck',
        podSpec: { volumes: [{ name: 'settings', configMap: { name: 'missing' } }] },
        containers: [{ name: 'app' }],
      },
      {
        kind: 'Pod',
        namespace: 'shop',
        name: 'nowhere',
        podSpec: { nodeSelector: { none: 'such' } },
        containers: [{ name: 'app' }],
      },
      {
        kind: 'Pod',
        namespace: 'shop',
        name: 'one',
        containers: [
          { name: 'setup', kind: 'init', lines: ['set up'], exit: { code: 0 } },
          { name: 'app', lines: ['of the only one'] },
        ],
      },
    ],
  });
});
afterAll(() => logs.close());

describe.runIf(existsSync('/proc/self/fd'))(
  'kubectl get --raw of a log, through logtool as from core',
  () => {
    test.each([
      'shop/pods/web/log',
      'shop/pods/web/log?container=app',
      'shop/pods/web/log?tailLines=3&timestamps=true',
      'shop/pods/web/log?limitBytes=40',
      'shop/pods/web/log?sinceSeconds=100000&timestamps=1',
      'shop/pods/pair/log?container=side',
      'shop/pods/pair/log?container=setup',
      'shop/pods/one/log',
      'shop/pods/pair/log',
      'shop/pods/web/log?container=other',
      'shop/pods/web/log?tailLines=-1',
      'shop/pods/web/log?previous=true',
      'shop/pods/gone/log',
      'shop/pods/stuck/log',
      'shop/pods/stuck/log?follow=true&container=app',
      'shop/pods/nowhere/log',
      'elsewhere/pods/web/log',
    ])('%s', async (path) => {
      const [own, core] = [await logs.log(path), await logs.log(path, { core: true })];
      expect(own).toEqual(core);
      expect(logs.reports).toEqual({ api: [], agents: [] });
    });
  },
);
