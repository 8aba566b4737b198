import type { ImageTrouble } from '@logtool/helm/src/apply/image-trouble.ts';
import type { ImageRetry } from '@logtool/helm/src/failures.ts';
import { expect, test } from 'vitest';
import { helmMessageOf } from '../helm.ts';
import { imageProblem, imageTroubleLines } from './images.ts';

const IMAGE = 'registry.lan/app:1';
const REFUSED = 'dial tcp 192.0.2.9:443: connect: connection refused';
const trouble = (changed: Partial<ImageTrouble> = {}): ImageTrouble => ({
  image: IMAGE,
  reason: 'ErrImagePull',
  cause: REFUSED,
  container: 'app',
  pod: 'p',
  namespace: 'shop',
  isOld: false,
  ...changed,
});
const retry: ImageRetry = {
  release: { name: 'web', namespace: 'shop', chart: 'logtool' },
  again: 'install',
};
const ADVICE = [
  'name an image that the nodes can pull: logtool cluster install --name web -n shop --image REF',
  "or let the nodes sign in: kubectl create secret docker-registry NAME -n shop ..., then the same with --set 'image.pullSecrets={NAME}'",
  "or build the image (npm run build:image in logtool's source), load it into each node (ctr -n k8s.io images import, kind load image-archive) and name it with --image",
];

test('names what is wrong', () => {
  expect(imageProblem(trouble())).toBe(`the nodes cannot pull the image ${IMAGE}`);
  expect(imageProblem(trouble({ reason: 'InvalidImageName', image: 'No:No' }))).toBe(
    '"No:No" cannot be the name of an image',
  );
  expect(imageProblem(trouble({ reason: 'ErrImageNeverPull' }))).toBe(
    `a node does not have the image ${IMAGE}, and the pull policy is Never`,
  );
});

test('a final refusal has its reason and what to do', () => {
  const data = { trouble: trouble({ cause: 'manifest unknown' }), retry };
  expect(helmMessageOf({ code: 'image-unavailable', data })).toEqual({
    what: `the nodes cannot pull the image ${IMAGE}`,
    why: 'the container app of the pod p: ErrImagePull: manifest unknown',
    next: ADVICE.join('\n'),
  });
});

test('a warning has its reason and what to do', () => {
  expect(imageTroubleLines(trouble(), retry, '')).toEqual([
    `warning: the nodes cannot pull the image ${IMAGE}: ${REFUSED}; the kubelet tries again`,
    `  next: ${ADVICE[0]}`,
    `        ${ADVICE[1]}`,
    `        ${ADVICE[2]}`,
  ]);
  const [first] = imageTroubleLines(
    trouble({ cause: 'unexpected status: 429 Too Many Requests' }),
    retry,
    '',
  );
  expect(first).toMatch(/429 Too Many Requests; the kubelet tries again$/);
});

test('a warning of a refusal from before says how to have the kubelet try now', () => {
  expect(imageTroubleLines(trouble({ isOld: true }), retry, '')).toEqual([
    `warning: the container app of the pod p could not pull its image ${IMAGE} before this command; the kubelet tries again within 5 minutes`,
    '  next: to try again now: kubectl delete pod p -n shop',
  ]);
});
