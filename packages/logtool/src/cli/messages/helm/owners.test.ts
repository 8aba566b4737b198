import { readManifest } from '@logtool/helm/src/apply/read-manifest.ts';
import { resolveTargets } from '@logtool/helm/src/apply/target.ts';
import type { KeptReason } from '@logtool/helm/src/failures.ts';
import { CONFIG_MAPS } from '@logtool/kube/src/builtin-resources.ts';
import { expect, test } from 'vitest';
import { keptText } from './releases.ts';
import { skippedText } from './repositories.ts';

const NAME = 'meta.helm.sh/release-name';
const belongsTo = (name?: string, namespace?: string): KeptReason => ({
  by: 'other-release',
  owner: { name, namespace },
});

test.each<[KeptReason, string]>([
  [{ by: 'policy' }, 'as its resource policy says'],
  [{ by: 'replaced' }, 'because somebody replaced it while logtool was deleting it'],
  [belongsTo('heir'), 'because it belongs to release heir'],
  [belongsTo(undefined, 'team'), 'because it belongs to another release in namespace team'],
  [belongsTo('plain', 'team'), 'because it belongs to release plain in namespace team'],
  [
    {
      by: 'no-mark',
      marks: [
        { kind: 'annotation', key: NAME, wanted: 'plain', actual: undefined },
        { kind: 'label', key: 'app', wanted: 'a', actual: 'b' },
      ],
    },
    `because it does not name this release as its owner: the annotation ${NAME} must be "plain", but is missing; the label app must be "a", but is "b"`,
  ],
])('why an object stays: %j', (why, text) => {
  const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\n';
  const [target] = resolveTargets(readManifest(manifest), [CONFIG_MAPS], 'default');
  if (target === undefined) throw new Error('no target');
  expect(keptText({ target, why })).toBe(`ConfigMap "cm" in namespace "default", ${text}`);
});

test('a version that logtool ignores is named without control characters', () => {
  expect(skippedText({ chart: 'a\u001b[31m', version: '', why: 'empty entry' })).toBe(
    'logtool ignores chart "a\\u001b[31m" "": empty entry',
  );
});
