import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { imageTroubleLines } from '@logtool/logtool/src/cli/messages/helm/images.ts';
import { helmWorded } from '@logtool/logtool/src/cli/messages/helm.ts';
import { expect, it } from 'vitest';
import { shown } from '../../../../test/support/helm/shown.ts';
import type { ImageRetry, ReleaseRef } from '../failures.ts';
import type { ImageTrouble } from './image-trouble.ts';
import { createPullWatch } from './pull-watch.ts';

const REFUSED = 'dial tcp 192.0.2.9:443: connect: connection refused';
const trouble = (changed: Partial<ImageTrouble> = {}): ImageTrouble => ({
  image: 'registry.lan/app:1',
  reason: 'ErrImagePull',
  cause: REFUSED,
  container: 'app',
  pod: 'p',
  namespace: 'shop',
  isOld: false,
  ...changed,
});

const RELEASE: ReleaseRef = { name: 'web', namespace: 'shop', chart: 'logtool' };
const retry: ImageRetry = { release: RELEASE, again: 'install' };
const ADVICE = [
  'name an image that the nodes can pull: logtool cluster install --name web -n shop --image REF',
  "or let the nodes sign in: kubectl create secret docker-registry NAME -n shop ..., then the same with --set 'image.pullSecrets={NAME}'",
  "or build the image (npm run build:image in logtool's source), load it into each node (ctr -n k8s.io images import, kind load image-archive) and name it with --image",
];

function watch() {
  const clock = new FakeClock();
  const warnings: string[] = [];
  const pulls = createPullWatch({
    clock,
    onImageTrouble: (found) => warnings.push(...imageTroubleLines(found, retry, '')),
    retry,
  });
  const failure = (...troubles: readonly ImageTrouble[]) => {
    try {
      pulls.note(troubles);
    } catch (error) {
      if (error instanceof CodedError) return helmWorded(error);
      throw error;
    }
    return undefined;
  };
  return { clock, warnings, pulls, failure };
}
const WARNING = [
  `warning: the image registry.lan/app:1 cannot be pulled: ${REFUSED}; the kubelet tries again`,
  `  next: ${ADVICE[0]}`,
  `        ${ADVICE[1]}`,
  `        ${ADVICE[2]}`,
];

it('fails at the first final refusal, with its message and what to do', () => {
  const { warnings, failure } = watch();
  const error = failure(trouble({ cause: 'manifest unknown' }));
  expect(error).toMatchObject({
    code: 'image-unavailable',
    what: 'the image registry.lan/app:1 cannot be pulled',
    why: 'the container app of the pod p: ErrImagePull: manifest unknown',
    next: ADVICE.join('\n'),
  });
  expect(warnings).toEqual([]);
});

it('warns once of a registry that is out of reach, and fails after 20 s of it', async () => {
  const { clock, warnings, failure } = watch();
  expect(failure(trouble())).toBeUndefined();
  expect(warnings).toEqual(WARNING);
  await clock.advance(19_999);
  expect(failure(trouble({ reason: 'ImagePullBackOff' }))).toBeUndefined();
  await clock.advance(1);
  expect(failure(trouble())).toMatchObject({ code: 'image-unavailable' });
  expect(warnings).toEqual(WARNING);
});

it('restarts its count when the image came in between', async () => {
  const { clock, failure } = watch();
  expect(failure(trouble())).toBeUndefined();
  await clock.advance(15_000);
  expect(failure()).toBeUndefined();
  expect(failure(trouble())).toBeUndefined();
  await clock.advance(15_000);
  expect(failure(trouble())).toBeUndefined();
});

it('waits as long as there is time for a registry that asks to come back', async () => {
  const { clock, warnings, pulls, failure } = watch();
  const busy = trouble({ cause: 'unexpected status: 429 Too Many Requests' });
  expect(failure(busy)).toBeUndefined();
  await clock.advance(3_600_000);
  expect(failure(busy)).toBeUndefined();
  expect(warnings[0]).toContain('429 Too Many Requests; the kubelet tries again');
  // When the time of the wait is up, the image is what it failed for.
  expect(shown(pulls.failure)).toMatchObject({
    code: 'image-unavailable',
    what: expect.stringContaining('app:1'),
  });
  expect(failure()).toBeUndefined();
  expect(pulls.failure).toBeUndefined();
});

it('does not fail for a refusal from before: what was wrong may have been put right since', async () => {
  const { clock, warnings, failure } = watch();
  const old = trouble({ cause: 'manifest unknown', isOld: true });
  expect(failure(old)).toBeUndefined();
  await clock.advance(60_000);
  expect(failure(old)).toBeUndefined();
  expect(warnings).toEqual([
    'warning: the container app of the pod p was refused its image registry.lan/app:1 before this command; the kubelet tries again within 5 minutes',
    '  next: to have it try now: kubectl delete pod p -n shop',
  ]);
  expect(failure(trouble({ cause: 'manifest unknown', pod: 'new' }))).toMatchObject({
    code: 'image-unavailable',
  });
});
