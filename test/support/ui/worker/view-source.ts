import type { ViewSource } from '@logtool/logtool/src/ui/worker/protocol/protocol.ts';

/** A running container of the pod web-0, as the worker reports it, with the given overrides. */
export function viewSource(over: Partial<ViewSource> = {}): ViewSource {
  const { pod = 'web-0', container = 'app' } = over;
  return {
    index: 0,
    id: `${pod}/${container}`,
    run: '',
    order: `${pod}/${container}/`,
    arguments: ['shop:deployments/web'],
    namespace: 'shop',
    pod,
    container,
    kind: 'regular',
    restarts: 0,
    state: { kind: 'running', restarts: over.restarts ?? 0 },
    hue: 0,
    lines: 0,
    isNew: false,
    isGone: false,
    isRemoved: false,
    condition: { kind: 'running' },
    ...over,
  };
}
