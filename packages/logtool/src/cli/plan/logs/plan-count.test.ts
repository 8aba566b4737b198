import { expect, test } from 'vitest';
import { flagsOf } from '../../flags/table.ts';
import { OF_RECORDS } from './plan-count.ts';

/**
 * Flags that also apply to a count: which containers and records it counts, its output, and the connection.
 */
const OF_COUNTS = `
  namespace all-namespaces selector field-selector container exclude-container exclude-pod
  init-containers ephemeral-containers container-state all-containers region zone os arch node max-log-requests
  all since until after before previous rotated backend
  grep all-match exclude ignore-case level where search-limit force group
  count bucket output hide-header timezone fail-empty quiet
  kube-context as as-group as-uid token request-timeout`;

test('each flag of logs is refused beside --count, or a count follows it', () => {
  const own = flagsOf('logs').filter(({ commands }) => commands !== 'all');
  expect([...OF_RECORDS, ...OF_COUNTS.trim().split(/\s+/)].sort()).toEqual(
    own.map(({ name }) => name).sort(),
  );
});
