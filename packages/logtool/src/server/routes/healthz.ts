import type { MakeHandler } from './make-handler.ts';

/** `GET /healthz`: the server is up; reports nothing about the clusters. */
export const answerHealthz: MakeHandler<'GET /healthz'> = () => (context) => context.text('ok', 200);
