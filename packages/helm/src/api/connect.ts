import { type ConnectOptions, connect as connectAs } from '@logtool/kube/src/connect.ts';
import type { ClusterClient } from '@logtool/kube/src/create-client.ts';

/** Like `connect` of `@logtool/kube`; the API server's audit log names `@logtool/helm` unless `userAgent` is given. */
export function connect(options: ConnectOptions = {}): Promise<ClusterClient> {
  return connectAs({ userAgent: '@logtool/helm', ...options });
}
