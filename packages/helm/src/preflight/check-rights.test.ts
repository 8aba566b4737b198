import { CONFIG_MAPS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import { expect, test } from 'vitest';
import { checkRights } from './check-rights.ts';

test('what acts on one object is asked for by its name: roles may name it', async () => {
  const asked: unknown[] = [];
  const client = {
    review: async (question: unknown) => {
      asked.push(question);
      return true;
    },
  } as unknown as KubeClient;
  const right = { type: CONFIG_MAPS, namespace: 'team' };
  const patch = { ...right, verb: 'patch', name: 'web' };
  await checkRights(client, [{ ...right, verb: 'create' }, patch, patch], {});
  const question = { group: '', resource: 'configmaps', namespace: 'team' };
  expect(asked).toEqual([
    { ...question, verb: 'create', name: undefined },
    { ...question, verb: 'patch', name: 'web' },
  ]);
});
