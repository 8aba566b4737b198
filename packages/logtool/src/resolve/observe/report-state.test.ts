import { DEPLOYMENTS, NODES } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeErrorLike } from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { expect, test } from 'vitest';
import { noticeText } from '../../cli/messages/notice-text.ts';
import { reportState } from './report-state.ts';

const CLUSTER = { context: 'prod', server: 'https://api.example.com', namespace: 'shop', user: 'ada' };

function reported(state: 'polling' | 'retrying' | 'live', error?: KubeErrorLike, wasClusterAway = false) {
  const texts: string[] = [];
  const event = error === undefined ? { state } : { state, error };
  for (const observation of [
    { type: DEPLOYMENTS, namespace: 'shop' },
    { type: NODES, namespace: undefined },
  ]) {
    reportState(event, observation, CLUSTER, (notice) => texts.push(noticeText(notice)), wasClusterAway);
  }
  return texts;
}

test('a watch that fails and comes back names the objects that it is of', () => {
  expect(reported('retrying', new KubeError({ kind: 'server', message: 'no leader' }))).toEqual([
    'lost contact with deployments.apps in namespace "shop", trying again: no leader',
    'lost contact with nodes, trying again: no leader',
  ]);
  expect(reported('live')).toEqual([
    'reconnected to deployments.apps in namespace "shop"',
    'reconnected to nodes',
  ]);
});

test('a cluster that was out of reach is named as a whole', () => {
  expect(reported('retrying', new KubeError({ kind: 'connection', message: 'refused' }))[0]).toBe(
    'Lost contact with the cluster, trying again: refused',
  );
  expect(reported('live', undefined, true)[0]).toBe('Reconnected to the cluster');
});
