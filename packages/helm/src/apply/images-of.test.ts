import { expect, it } from 'vitest';
import { imagesOf } from './images-of.ts';
import { readManifest } from './read-manifest.ts';
import type { Target } from './target.ts';

const images = (manifest: string) =>
  imagesOf(readManifest(manifest).map((object) => ({ object }) as unknown as Target));
const object = (kind: string, spec: string) =>
  `apiVersion: v1\nkind: ${kind}\nmetadata: {name: x}\nspec: ${spec}\n`;

it('finds the images of every kind that runs pods, init containers first, each once', () => {
  const pod = '{initContainers: [{name: i, image: "a:1"}], containers: [{name: c, image: "b:1"}]}';
  for (const kind of ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job'])
    expect(images(object(kind, `{template: {spec: ${pod}}}`))).toEqual([
      { image: 'a:1', pullPolicy: 'IfNotPresent' },
      { image: 'b:1', pullPolicy: 'IfNotPresent' },
    ]);
  const cron = `{jobTemplate: {spec: {template: {spec: ${pod}}}}}`;
  const all = [object('Pod', pod), object('CronJob', cron)].join('---\n');
  expect(images(all).map(({ image }) => image)).toEqual(['a:1', 'b:1']);
});

it('has the pull policy that is written, else the one that the cluster sets', () => {
  const policyOf = (container: string) =>
    images(object('Pod', `{containers: [{name: c, ${container}}]}`))[0]?.pullPolicy;
  expect(policyOf('image: "a:1", imagePullPolicy: Never')).toBe('Never');
  expect(policyOf('image: "a:1"')).toBe('IfNotPresent');
  expect(policyOf('image: "a:latest"')).toBe('Always');
  expect(policyOf('image: "lan:5000/a"')).toBe('Always');
  expect(policyOf(`image: "lan:5000/a@sha256:${'0'.repeat(64)}"`)).toBe('IfNotPresent');
});

it('skips what is not a pod, and malformed values', () => {
  const odd = ['{}', '{containers: 3}', '{containers: [3, {name: c}, {name: c, image: 5}]}', '[]'];
  for (const spec of odd) expect(images(object('Pod', spec))).toEqual([]);
  expect(images(object('CustomResourceDefinition', '{containers: [{image: a}]}'))).toEqual([]);
  expect(images('apiVersion: v1\nkind: toString\nmetadata: {name: x}\n')).toEqual([]);
});
