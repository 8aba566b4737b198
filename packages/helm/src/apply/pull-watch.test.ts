import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, it } from 'vitest';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
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

function watch() {
  const clock = new FakeClock();
  const warnings: ImageTrouble[] = [];
  const pulls = createPullWatch({ clock, onImageTrouble: (found) => warnings.push(found), retry });
  const failure = (...troubles: readonly ImageTrouble[]): unknown => {
    try {
      pulls.note(troubles);
    } catch (error) {
      return error;
    }
    return undefined;
  };
  return { clock, warnings, pulls, failure };
}
const failed = (of: ImageTrouble) => helmFailed('image-unavailable', { trouble: of, retry });

it('fails at the first final refusal, with its message and what to do', () => {
  const { warnings, failure } = watch();
  const unknown = trouble({ cause: 'manifest unknown' });
  expect(failure(unknown)).toEqual(failed(unknown));
  expect(warnings).toEqual([]);
});

it('warns once of a registry that is out of reach, and fails after 20 s of it', async () => {
  const { clock, warnings, failure } = watch();
  expect(failure(trouble())).toBeUndefined();
  expect(warnings).toEqual([trouble()]);
  await clock.advance(19_999);
  expect(failure(trouble({ reason: 'ImagePullBackOff' }))).toBeUndefined();
  await clock.advance(1);
  expect(failure(trouble())).toEqual(failed(trouble()));
  expect(warnings).toEqual([trouble()]);
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
  expect(warnings).toEqual([busy]);
  // When the wait times out, the image is the reason for the failure.
  expect(pulls.failure).toEqual(failed(busy));
  expect(failure()).toBeUndefined();
  expect(pulls.failure).toBeUndefined();
});

it('does not fail for a refusal from before: what was wrong may have been put right since', async () => {
  const { clock, warnings, failure } = watch();
  const old = trouble({ cause: 'manifest unknown', isOld: true });
  expect(failure(old)).toBeUndefined();
  await clock.advance(60_000);
  expect(failure(old)).toBeUndefined();
  expect(warnings).toEqual([old]);
  const fresh = trouble({ cause: 'manifest unknown', pod: 'new' });
  expect(failure(fresh)).toEqual(failed(fresh));
});
