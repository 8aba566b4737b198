import { foreignOrigin } from '../security/allowed-hosts.ts';
import { pageTokenOf } from '../session/sign-in-routes.ts';
import type { MakeHandler } from './make-handler.ts';

export const answerPageToken: MakeHandler<'GET /token'> = () => (context) => {
  // A request typed into the address bar does not come from a page of this server.
  const site = context.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') throw foreignOrigin();
  return context.json(pageTokenOf(context.get('session')), 200);
};
