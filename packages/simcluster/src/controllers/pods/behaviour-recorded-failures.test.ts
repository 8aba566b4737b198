import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { play, podNamed } from '../../../test/support/play.ts';
import { type PodStatus, podStatus } from '../objects.ts';

/** Returns the status of a pod of a real cluster. */
function recorded(name: string): PodStatus {
  const file = new URL(`../../../../../test/recorded/list/${name}.json`, import.meta.url);
  const { response } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly response: { readonly body: string };
  };
  return (JSON.parse(response.body) as { readonly status: PodStatus }).status;
}

/**
 * Returns the fields that show the state of a pod: phase, conditions, and the states of each container, without names,
 * times and identities.
 */
function outlineOf({ phase, conditions = [], containerStatuses = [] }: PodStatus) {
  return {
    phase,
    conditions: conditions.map(({ type, status, reason }) => [type, status, reason]),
    containers: containerStatuses.map(({ state, lastState, ready, started }) => ({
      waiting: state.waiting?.reason,
      // The recorded registry answered differently from the simulated one.
      message: state.waiting?.message?.replace(/\d+\w*s |=\S+|".*$/g, ''),
      runs: Object.keys(state.running ?? {}),
      last: Object.keys(lastState.terminated ?? {}).sort(),
      reason: lastState.terminated?.reason,
      ready,
      started,
    })),
  };
}

async function played(container: object, seconds: number): Promise<PodStatus> {
  const { sim, clock } = await play({
    nodes: [{ name: 'a' }],
    workloads: [{ kind: 'Pod', name: 'p', containers: [{ name: 'app', ...container }] }],
  });
  for (let second = 0; second < seconds; second++) await clock.advance(1_000);
  return podStatus(podNamed(sim, 'p'));
}

test('a crash loop, a container that runs again and a missing image match a real node', async () => {
  const crash = { exit: { after: '1s', code: 1 } };
  expect(outlineOf(await played(crash, 30))).toEqual(outlineOf(recorded('pod-crasher')));
  const once = { runs: [{ exit: { after: '1s', code: 7 } }, {}] };
  expect(outlineOf(await played(once, 10))).toEqual(outlineOf(recorded('pod-once-crashed')));
  const image = { image: 'registry.example.com/none:0', state: 'bad-image' };
  expect(outlineOf(await played(image, 30))).toEqual(outlineOf(recorded('pod-bad-image')));
});

test('a container that was killed for its memory runs again, and its last state says so', async () => {
  const once = { runs: [{ exit: { after: '1s', reason: 'OOMKilled' } }, {}] };
  const status = await played(once, 10);
  const [container] = status.containerStatuses ?? [];
  expect(container?.lastState.terminated).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
  // A real kubelet reports it like any other end.
  const of = (at: PodStatus) => ({ ...outlineOf(at).containers[0], reason: undefined });
  expect(of(status)).toEqual(of(recorded('pod-once-crashed')));
});
