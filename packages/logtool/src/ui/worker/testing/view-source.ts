import type { ViewSource } from '../session/protocol.ts';

/** A container of the pod web-0 that runs, as the worker reports it, but for what is given. */
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
