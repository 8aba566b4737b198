import { expect, test } from 'vitest';
import { sourceOf } from '../../../../../../test/support/ui/worker/fake-line.ts';
import { HeldLog } from '../store/held-log.ts';
import { answerText } from './answers.ts';

test.each([
  [
    ['shop', 'shop'],
    ['same', 'same'],
  ],
  [
    ['shop', 'other'],
    ['shop/same', 'other/same'],
  ],
])('copied lines of pods in %j are named %j', (namespaces, names) => {
  const log = new HeldLog({ lines: 1_000, bytes: 2 ** 20 });
  for (const [index, namespace] of namespaces.entries()) {
    log.store.sources.take({ ...sourceOf(`web/${index}`, index), namespace, pod: 'same' }, false);
    log.arrive({ seconds: 1_800_000_000, nanos: index, source: index, text: 'paid', flags: 0 });
  }
  const entries = [...log.store.order.from({ chunk: 0, offset: 0 })];
  const { text } = answerText(log, { type: 'text', request: 1, entries, isNamed: true });
  expect(text.split('\n').map((line) => line.split(' ')[1])).toEqual(names.map((name) => `${name}/app`));
});
