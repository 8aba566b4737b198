/* The public exports: the rest of the package may change with any version. */

export {
  CONFIG_MAPS,
  CRON_JOBS,
  DAEMON_SETS,
  DEPLOYMENTS,
  EVENTS,
  JOBS,
  NAMESPACES,
  NODES,
  PODS,
  REPLICA_SETS,
  REPLICATION_CONTROLLERS,
  SECRETS,
  SERVICES,
  STATEFUL_SETS,
} from './builtin-resources.ts';
export type {
  AccessReview,
  CollectionQuery,
  KubeClient,
  KubeErrorKind,
  KubeObject,
  ListOptions,
  LogQuery,
  LogResponse,
  ObjectRef,
  ReflectorEvent,
  RequestOptions,
  ResourceType,
  WatchEvent,
} from './client.ts';
export { type ConnectOptions, connect } from './connect.ts';
export type { ClusterClient } from './create-client.ts';
export { isKubeError, KubeError, type RequestSubject, type StatusDetails } from './errors.ts';
export { describeKubeError } from './failure/describe.ts';
export { type Clock, FakeClock, systemClock } from './values/clock.ts';
export { CodedError } from './values/coded-error.ts';
export type { KubeFailures } from './values/failures.ts';
