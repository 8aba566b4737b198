import type { KubeClient, KubeObject, ReflectorEvent, WatchEvent } from '@logtool/kube/src/client.ts';

type Requests = Omit<KubeClient, 'cluster' | 'preconnect' | 'warm' | 'close'>;

/** The requests that a test answers: like a client's, but without the type parameter for the objects. */
type Answers = {
  readonly [Name in keyof Requests]?: (...asked: Parameters<Requests[Name]>) => ReturnType<Requests[Name]>;
};

interface Around {
  readonly namespace?: string;
  readonly close?: () => void;
}

/**
 * Creates a client with a test's answers. Every other request rejects with an error that names it. For tests
 * that fix what a few requests return; the simulated cluster and the engine's FakeCluster implement the
 * semantics of the API.
 */
export function fakeClient(
  answers: Answers,
  { namespace = 'default', close = () => {} }: Around = {},
): KubeClient {
  const { list = noPages('list'), watch = noPages('watch'), reflect = noPages('reflect') } = answers;
  const { get = refusing('get'), create = refusing('create') } = answers;
  const { update = refusing('update'), patch = refusing('patch') } = answers;
  return {
    cluster: { context: 'test', server: 'https://test', namespace, user: 'test' },
    discover: answers.discover ?? refusing('discover'),
    groupVersion: answers.groupVersion ?? refusing('groupVersion'),
    version: answers.version ?? refusing('version'),
    getMetadata: answers.getMetadata ?? refusing('getMetadata'),
    log: answers.log ?? refusing('log'),
    nodeFile: answers.nodeFile ?? refusing('nodeFile'),
    review: answers.review ?? refusing('review'),
    delete: answers.delete ?? refusing('delete'),
    get: <T extends KubeObject>(...asked: Parameters<typeof get>) => get(...asked) as Promise<T>,
    create: <T extends KubeObject>(...asked: Parameters<typeof create>) => create(...asked) as Promise<T>,
    update: <T extends KubeObject>(...asked: Parameters<typeof update>) => update(...asked) as Promise<T>,
    patch: <T extends KubeObject>(...asked: Parameters<typeof patch>) => patch(...asked) as Promise<T>,
    list: <T extends KubeObject>(...asked: Parameters<typeof list>) =>
      list(...asked) as AsyncIterable<{ readonly items: readonly T[]; readonly resourceVersion: string }>,
    watch: <T extends KubeObject>(...asked: Parameters<typeof watch>) =>
      watch(...asked) as AsyncIterable<WatchEvent<T>>,
    reflect: <T extends KubeObject>(...asked: Parameters<typeof reflect>) =>
      reflect(...asked) as AsyncIterable<ReflectorEvent<T>>,
    close,
  };
}

const unanswered = (name: keyof Requests) => new Error(`the test's client does not answer ${name}`);

function refusing(name: keyof Requests): () => Promise<never> {
  return () => Promise.reject(unanswered(name));
}

function noPages(name: keyof Requests): () => AsyncIterable<never> {
  return async function* () {
    yield* [];
    throw unanswered(name);
  };
}
