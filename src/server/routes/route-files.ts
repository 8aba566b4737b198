import { registerLogs } from '../logs/logs-route.ts';
import type { RegisterRoutes } from '../services.ts';
import { registerHealthz } from './healthz.ts';

/** Every route file. A new one is entered here. */
export const ROUTE_FILES: readonly RegisterRoutes[] = [registerHealthz, registerLogs];
