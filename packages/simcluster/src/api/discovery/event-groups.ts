/** Fields of events that have different names in v1 and events.k8s.io/v1. */
const RENAMED: readonly (readonly [string, string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];

export function toEventsV1(event: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return rename(event, new Map(RENAMED));
}

export function fromEventsV1(event: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return rename(event, new Map(RENAMED.map(([core, group]) => [group, core])));
}

function rename(event: Readonly<Record<string, unknown>>, names: ReadonlyMap<string, string>) {
  return Object.fromEntries(Object.entries(event).map(([key, value]) => [names.get(key) ?? key, value]));
}
