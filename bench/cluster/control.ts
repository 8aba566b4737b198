import type { ClusterControl } from '@logtool/simcluster/src/control/cluster-control.ts';

/** Calls a function of a simulated cluster's control. */
export type Control = <N extends keyof ClusterControl>(
  name: N,
  argument: Parameters<ClusterControl[N]>[0],
) => Promise<Awaited<ReturnType<ClusterControl[N]>>>;

/** Returns the control of the simulated cluster that printed this address on stderr. */
export function controlAt(url: string): Control {
  return async (name, argument) => {
    const response = await fetch(`${url}/control/${name}`, {
      method: 'POST',
      body: JSON.stringify(argument ?? {}),
    });
    const body = (await response.json()) as { readonly result?: never; readonly error?: string };
    if (!response.ok) throw new Error(`${name}: ${body.error}`);
    return body.result as never;
  };
}
