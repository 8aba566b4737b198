import type { MakeHandler } from './make-handler.ts';

export const answerInfo: MakeHandler<'GET /info'> =
  ({ settings, version }) =>
  (context) => {
    const { user } = context.get('session');
    const { auth, allowedNamespaces, columns, isInCluster } = settings;
    return context.json(
      {
        version,
        auth,
        user,
        allowedNamespaces: [...allowedNamespaces],
        columns: [...columns],
        isInCluster,
        agent: false,
      },
      200,
    );
  };
