import { info } from '../../contract/routes.ts';
import type { RegisterRoutes } from '../services.ts';

export const registerInfo: RegisterRoutes = (api, { settings, version }) => {
  api.openapi(info, (context) => {
    const { user } = context.get('session');
    const { auth, allowedNamespaces, columns, isInCluster } = settings;
    return context.json(
      {
        version,
        auth,
        ...(user === undefined ? {} : { user }),
        allowedNamespaces: [...allowedNamespaces],
        columns: [...columns],
        isInCluster,
        agent: false,
      },
      200,
    );
  });
};
