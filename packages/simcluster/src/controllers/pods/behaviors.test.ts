import { describe, expect, it } from 'vitest';
import { play } from '../../../test/support/play.ts';
import { podStatus } from '../objects.ts';
import { BEHAVIOR_VARIABLE } from './behaviors.ts';

const START = { namespaces: ['default'], nodes: [{ name: 'node-1' }], backfill: '0s', workloads: [] };

/** Creates a pod whose only container brings that text, and lets ten seconds pass. */
async function pod(text: string) {
  const { sim, clock } = await play(START);
  const containers = [{ name: 'main', image: 'busybox', env: [{ name: BEHAVIOR_VARIABLE, value: text }] }];
  const made = sim.store.create('pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'own', namespace: 'default' },
    spec: { restartPolicy: 'OnFailure', containers },
    status: { phase: 'Pending' },
  });
  await clock.advance(10_000);
  const status = podStatus(sim.store.get('pods', 'default', 'own') ?? made);
  return { status, container: status.containerStatuses?.[0] };
}

describe('a container that says in its environment what it does', () => {
  it('does it, in YAML or in JSON', async () => {
    for (const text of ['lines: [one]\nexit: {}', '{"lines":["one"],"exit":{}}']) {
      expect((await pod(text)).status.phase, text).toBe('Succeeded');
    }
  });

  it('does something else in each of its runs', async () => {
    const { container } = await pod('runs: [{exit: {code: 3}}, {lines: [second]}]');
    expect(container).toMatchObject({
      restartCount: 1,
      state: { running: {} },
      lastState: { terminated: { exitCode: 3 } },
    });
  });

  it('runs on in silence when it writes no lines and has no exit', async () => {
    expect((await pod('lines: []')).container?.state.running).toBeDefined();
  });

  it.each([
    ['exits: {}', /Unrecognized key: "exits"/],
    ['exit: {code: 300}', /exit\.code: /],
    ['lines: [', /SIMCLUSTER_BEHAVIOR is not valid: /],
  ])('is not created when the text is not valid: %s', async (text, message) => {
    const { container } = await pod(text);
    expect(container?.state.waiting).toMatchObject({ reason: 'CreateContainerConfigError' });
    expect(container?.state.waiting?.message).toMatch(message);
  });
});
