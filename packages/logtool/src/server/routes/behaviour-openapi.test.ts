import { expect, test } from 'vitest';
import { startDashboard } from '../../../../../test/support/server/start-dashboard.ts';
import { GapCode, LogLack } from '../../contract/log-lack.ts';

test('the OpenAPI document lists each code of an error with its data, once', async () => {
  const dashboard = await startDashboard();
  const answer = await dashboard.ask('/api/v1/openapi.json');
  const { components, paths } = (await answer.json()) as Document;
  const members = components.schemas.Error?.anyOf ?? [];
  const dataOf = new Map(members.map(({ properties }) => [properties.code.enum?.[0], properties.data]));
  expect(dataOf.get('too-many-sources')).toMatchObject({
    type: 'object',
    properties: { count: { type: 'number' }, limit: { type: 'number' } },
    required: ['count', 'limit'],
  });
  for (const code of ['kubeconfig-not-found', 'forbidden', 'nodes-forbidden', 'closing'])
    expect(dataOf.has(code), code).toBe(true);
  expect(JSON.stringify(paths)).not.toContain('too-many-sources');
});

test('the OpenAPI document lists each reason why a log is unknown', async () => {
  const dashboard = await startDashboard();
  const answer = await dashboard.ask('/api/v1/openapi.json');
  const listed: string[] = [];
  JSON.stringify(await answer.json(), (key, value: { readonly enum?: readonly string[] }) => {
    if (key === 'why') listed.push((value.enum ?? []).join(' '));
    return value;
  });
  expect(listed.filter((codes) => codes === LogLack.options.join(' '))).not.toEqual([]);
  expect(listed.filter((codes) => codes === GapCode.options.join(' '))).not.toEqual([]);
});

interface Document {
  readonly paths: object;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly anyOf?: readonly Member[] }>>;
  };
}
interface Member {
  readonly properties: {
    readonly code: { readonly enum?: readonly string[] };
    readonly data: object;
  };
}
