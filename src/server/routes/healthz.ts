import { healthz } from '../../contract/routes.ts';
import type { Api } from '../services.ts';

export function registerHealthz(api: Api): void {
  api.openapi(healthz, (context) => context.text('ok', 200));
}
