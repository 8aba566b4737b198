import { expect, test } from 'vitest';
import { openWhy, type WhyJson } from './why-world.ts';

const SCENARIO = {
  seed: 9,
  backfill: '8m',
  namespace: 'shop',
  namespaces: ['shop'],
  nodes: [{ name: 'node-1' }, { name: 'node-2' }, { name: 'node-3' }],
  workloads: [
    {
      kind: 'Deployment',
      name: 'web',
      replicas: 20,
      containers: [{ name: 'app', lines: ['starting', 'ERROR no database'], exit: { code: 3 } }],
    },
  ],
};

test('twenty pods with one trouble are one verdict, read with one list each and one tail', {
  timeout: 60_000,
}, async () => {
  const world = await openWhy(SCENARIO);
  try {
    const before = world.cluster.requests.length;
    const { code, stdout } = await world.why('deployments/web', '-o', 'json');
    const requests = world.cluster.requests.slice(before);
    const { verdicts } = JSON.parse(stdout) as WhyJson;
    expect({ code, codes: verdicts.map((verdict) => verdict.code) }).toEqual({ code: 0, codes: ['crashed'] });
    expect(verdicts[0]?.pods).toHaveLength(20);
    const count = (pattern: RegExp) => requests.filter((request) => pattern.test(request)).length;
    expect({
      logs: new Set(requests.flatMap((request) => /\/pods\/([^/]+)\/log\?/.exec(request)?.[1] ?? [])).size,
      pods: count(/\/pods\?/),
      events: count(/\/shop\/events\?/),
      watches: count(/watch=/),
    }).toEqual({ logs: 1, pods: 1, events: 1, watches: 0 });
    expect(requests.length).toBeLessThan(15);
  } finally {
    await world.close();
  }
});

/** The same pods, running and writing. */
const RUNNING = {
  ...SCENARIO,
  backfill: '30m',
  workloads: [
    {
      kind: 'Deployment',
      name: 'web',
      replicas: 20,
      containers: [
        {
          name: 'app',
          logs: [
            { format: 'json', perSecond: 1, levels: { info: 1 } },
            {
              format: 'json',
              perSecond: 1,
              from: '-10m',
              messages: [{ level: 'error', text: 'no database' }],
            },
            {
              format: 'json',
              perSecond: 1,
              from: '-10m10s',
              limit: 1,
              messages: [{ text: 'settings read' }],
            },
          ],
        },
      ],
    },
  ],
};

test('the logs of twenty pods are read once each', {
  timeout: 60_000,
}, async () => {
  const world = await openWhy(RUNNING);
  try {
    const before = world.cluster.requests.length;
    const { stdout } = await world.why('deployments/web', '-o', 'json');
    const requests = world.cluster.requests.slice(before);
    const { verdicts, logs, doubts } = JSON.parse(stdout) as WhyJson;
    expect(verdicts.map(({ code, data }) => [code, data.errors])).toEqual([
      ['log-errors', expect.any(Number)],
    ]);
    expect(verdicts[0]?.log?.newBefore[0]?.message).toContain('settings read');
    expect([logs?.containers, doubts]).toEqual([20, []]);
    const read = requests.filter((request) => request.includes('/log?'));
    // The engine reads the last lines of each again, to know that its end is complete.
    const [whole, ends] = [/sinceTime=/, /tailLines=16$/].map((pattern) =>
      read.flatMap((request) => (pattern.test(request) ? [request.replace(/\?.*/, '')] : [])),
    );
    expect([whole?.length, new Set(whole).size]).toEqual([20, 20]);
    expect(ends?.length).toBe(read.length - 20);
    expect(requests.length).toBeLessThan(55);
  } finally {
    await world.close();
  }
});
