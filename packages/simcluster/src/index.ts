/* The public exports: the rest of the package may change with any version. */

export type { ServerUser } from './access/credentials.ts';
export type { ApiCall } from './api/http/call-log.ts';
export type { AccessRule } from './control/access-rules.ts';
export type { ClusterControl } from './control/cluster-control.ts';
export { type Control, startControl } from './control/endpoint.ts';
export type { Burst, LinesToWrite, LinesWritten } from './control/write-lines.ts';
export { BEHAVIOR_VARIABLE } from './controllers/pods/behaviors.ts';
export type { Fault } from './faults/fault.ts';
export type { ContainerTarget, PodsTarget } from './scenario/event-targets.ts';
export { publishedSchema } from './scenario/publish.ts';
export { type Problem, SimClusterError } from './simcluster-error.ts';
export { type SimCluster, type SimClusterOptions, startSimCluster } from './start.ts';
export type { Store, StoredObject } from './store/store.ts';
