import { registerDownload } from '../logs/download-route.ts';
import { registerLogs } from '../logs/logs-route.ts';
import type { RegisterRoutes } from '../services.ts';
import { registerWorkloads } from '../workloads/workloads-route.ts';
import { registerAccess } from './access.ts';
import { registerContexts } from './contexts.ts';
import { registerHealthz } from './healthz.ts';
import { registerInfo } from './info.ts';
import { registerNamespaces } from './namespaces.ts';
import { registerPageToken } from './page-token.ts';

/** Every route file. A new one is entered here. */
export const ROUTE_FILES: readonly RegisterRoutes[] = [
  registerHealthz,
  registerInfo,
  registerPageToken,
  registerContexts,
  registerNamespaces,
  registerAccess,
  registerLogs,
  registerDownload,
  registerWorkloads,
];
