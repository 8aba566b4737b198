import { expect, it } from 'vitest';
import { play, podNamed } from '../../../test/support/play.ts';
import { podStatus } from '../objects.ts';

const NODES = [{ name: 'node-1' }];
const LAN = 'registry.lan/team/app:1.2';

/** Runs a pod with this image that someone creates through the API, as charts do. */
async function run(image: string, registries: readonly object[], imagePullPolicy = 'IfNotPresent') {
  const { sim, clock } = await play({ nodes: NODES, registries, startDelays: 'none' });
  sim.store.create('pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'default' },
    spec: { containers: [{ name: 'app', image, imagePullPolicy, command: ['sleep', '1000'] }] },
  });
  await clock.advance(1_000);
  return {
    clock,
    status: () => podStatus(podNamed(sim, 'p')).containerStatuses?.[0],
    waiting: () => podStatus(podNamed(sim, 'p')).containerStatuses?.[0]?.state.waiting,
    events: () =>
      sim.store
        .list('events')
        .flatMap(({ reason, message, type, involvedObject }) =>
          (involvedObject as { name?: string }).name === 'p' && reason !== 'Scheduled'
            ? [`${type} ${reason}: ${message}`]
            : [],
        ),
  };
}

it.each([
  [
    'not-found',
    `rpc error: code = NotFound desc = failed to pull and unpack image "${LAN}": failed to resolve reference "${LAN}": ${LAN}: not found`,
  ],
  ['denied', /failed to authorize: .*: 403 Forbidden$/],
  ['no-such-host', /dial tcp: lookup registry\.lan: no such host$/],
  [
    'refused',
    /Head "https:\/\/registry\.lan\/v2\/team\/app\/manifests\/1\.2": dial tcp 192\.0\.2\.9:443: connect: connection refused$/,
  ],
  ['busy', /429 Too Many Requests$/],
])(
  'a registry that answers %s: ErrImagePull, then ImagePullBackOff with the same words',
  async (answers, expected) => {
    const { clock, waiting, events } = await run(LAN, [{ image: 'registry.lan/*', answers }]);
    expect(waiting()).toEqual({ reason: 'ErrImagePull', message: expect.stringMatching(expected) });
    const { message = '' } = waiting() ?? {};
    await clock.advance(4_000);
    expect(waiting()).toEqual({
      reason: 'ImagePullBackOff',
      message: `Back-off pulling image "${LAN}": ErrImagePull: ${message}`,
    });
    expect(new Set(events())).toEqual(
      new Set([
        `Normal Pulling: Pulling image "${LAN}"`,
        `Warning Failed: Failed to pull image "${LAN}": ${message}`,
        'Warning Failed: Error: ErrImagePull',
        `Normal BackOff: Back-off pulling image "${LAN}"`,
        'Warning Failed: Error: ImagePullBackOff',
      ]),
    );
    await clock.advance(7_000);
    expect(waiting()?.reason).toBe('ErrImagePull');
  },
);

it('a pull that succeeds in the end starts the container', async () => {
  const { clock, status, events } = await run(LAN, [{ image: LAN, answers: 'refused', times: 1 }]);
  expect(status()?.state.waiting?.reason).toBe('ErrImagePull');
  await clock.advance(12_000);
  expect(status()?.state.running).toBeDefined();
  expect(
    events()
      .filter((event) => /^Normal Pull/.test(event))
      .toSorted(),
  ).toEqual([
    expect.stringMatching(/^Normal Pulled: Successfully pulled image /),
    `Normal Pulling: Pulling image "${LAN}"`,
  ]);
});

it('a name that is none is not asked for', async () => {
  const image = 'registry.lan/Team/App:1';
  const { clock, waiting, events } = await run(image, []);
  const message = `Failed to apply default image tag "${image}": couldn't parse image name "${image}": invalid reference format`;
  expect(waiting()).toEqual({ reason: 'InvalidImageName', message });
  expect(new Set(events())).toEqual(
    new Set([`Warning InspectFailed: ${message}`, 'Warning Failed: Error: InvalidImageName']),
  );
  await clock.advance(60_000);
  expect(waiting()?.reason).toBe('InvalidImageName');
});

it('the policy Never leaves an image where it is, and starts one that the node has', async () => {
  const rules = [{ image: 'registry.lan/*', answers: 'not-found' }];
  const absent = await run(LAN, rules, 'Never');
  const message = `Container image "${LAN}" is not present with pull policy of Never`;
  expect(absent.waiting()).toEqual({ reason: 'ErrImageNeverPull', message });
  expect(new Set(absent.events())).toEqual(
    new Set([`Warning ErrImageNeverPull: ${message}`, 'Warning Failed: Error: ErrImageNeverPull']),
  );
  expect((await run('tools:1', rules, 'Never')).status()?.state.running).toBeDefined();
});
