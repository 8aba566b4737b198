import type { SimClusterFailures } from '@logtool/simcluster/src/start.ts';
import type { Message, Messages } from './message.ts';

/** Its errors are about a scenario, and address its author. */
const asWritten = (problem: Message): Message => problem;

export const SIMCLUSTER_MESSAGES: Messages<SimClusterFailures> = {
  'bad-arguments': asWritten,
  'body-invalid': asWritten,
  'call-invalid': asWritten,
  'event-invalid': asWritten,
  'fault-invalid': asWritten,
  'scenario-invalid': asWritten,
  'control-target-missing': asWritten,
  'event-target-missing': asWritten,
};
