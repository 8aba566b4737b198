import { healthz } from '../../contract/routes.ts';
import type { Api } from '../services.ts';

/** `GET /healthz`: the server is up; says nothing of the clusters. */
export function registerHealthz(api: Api): void {
  api.openapi(healthz, (context) => context.text('ok', 200));
}
