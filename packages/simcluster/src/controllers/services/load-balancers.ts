import type { Cluster } from '../cluster.ts';

/** The first address to assign; the block is reserved for documentation (RFC 5737). */
const FIRST = 10;

/** Assigns an address to every Service of type LoadBalancer, as a cloud's controller does. */
export function startLoadBalancers(cluster: Cluster): void {
  const { store, queue } = cluster;
  store.subscribe('services', ({ type, object }) => {
    if (type === 'DELETED' || object.spec?.type !== 'LoadBalancer' || addressOf(object) !== undefined) return;
    const { namespace, name } = object.metadata;
    queue.add(`load-balancer/${namespace}/${name}`, () => {
      const taken = new Set(store.list('services').map(addressOf));
      let number = FIRST;
      while (taken.has(`203.0.113.${number}`)) number += 1;
      store.update('services', namespace, name, (changed) => {
        if (changed.spec?.type !== 'LoadBalancer' || addressOf(changed) !== undefined) return false;
        changed.status = { loadBalancer: { ingress: [{ ip: `203.0.113.${number}`, ipMode: 'VIP' }] } };
        return undefined;
      });
    });
  });
}

function addressOf({ status }: { readonly status?: Record<string, unknown> }): string | undefined {
  const { ingress } = (status?.loadBalancer ?? {}) as { ingress?: readonly { ip?: string }[] };
  return ingress?.[0]?.ip;
}
