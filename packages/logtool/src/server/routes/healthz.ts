import type { MakeHandler } from './make-handler.ts';

/** `GET /healthz`: the server is up; says nothing of the clusters. */
export const answerHealthz: MakeHandler<'GET /healthz'> = () => (context) => context.text('ok', 200);
