import { CONFIG_MAPS } from '@logtool/kube/src/builtin-resources.ts';
import { expect, test } from 'vitest';
import { fakeClient } from '../../../../test/support/fake-client.ts';
import { checkRights } from './check-rights.ts';

test('what acts on one object is asked for by its name: roles may name it', async () => {
  const asked: unknown[] = [];
  const client = fakeClient({
    review: async (question) => {
      asked.push(question);
      return true;
    },
  });
  const right = { type: CONFIG_MAPS, namespace: 'team' };
  const patch = { ...right, verb: 'patch', name: 'web' };
  await checkRights(client, [{ ...right, verb: 'create' }, patch, patch], {});
  const question = { group: '', resource: 'configmaps', namespace: 'team' };
  expect(asked).toEqual([
    { ...question, verb: 'create', name: undefined },
    { ...question, verb: 'patch', name: 'web' },
  ]);
});
