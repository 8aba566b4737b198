import { pageToken } from '../../contract/routes.ts';
import { foreignOrigin } from '../security/allowed-hosts.ts';
import type { RegisterRoutes } from '../services.ts';
import { pageTokenOf } from '../session/register-sign-in.ts';

export const registerPageToken: RegisterRoutes = (api) => {
  api.openapi(pageToken, (context) => {
    // Typed into the address bar is not asked by a page of this server.
    const site = context.req.header('sec-fetch-site');
    if (site !== undefined && site !== 'same-origin') throw foreignOrigin();
    return context.json(pageTokenOf(context.get('session')), 200);
  });
};
