import type { HelmFailures } from '@logtool/helm/src/failures.ts';
import { CHART_MESSAGES } from './helm/charts.ts';
import { OBJECT_MESSAGES } from './helm/objects.ts';
import { PERMISSION_MESSAGES } from './helm/permissions.ts';
import { RELEASE_MESSAGES } from './helm/releases.ts';
import { REPOSITORY_MESSAGES } from './helm/repositories.ts';
import type { ComposedMessages } from './message.ts';

/** What logtool says of each failure of its package manager. */
export const HELM_MESSAGES: ComposedMessages<HelmFailures> = {
  ...RELEASE_MESSAGES,
  ...OBJECT_MESSAGES,
  ...PERMISSION_MESSAGES,
  ...CHART_MESSAGES,
  ...REPOSITORY_MESSAGES,
};
