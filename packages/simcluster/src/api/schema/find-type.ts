import { CORE } from './core-types.ts';
import {
  ADMISSIONREGISTRATION,
  APIEXTENSIONS,
  APIREGISTRATION,
  AUTHENTICATION,
  AUTHORIZATION,
  COORDINATION,
  DISCOVERY,
  EVENTS,
  META,
  NETWORKING,
  NODE,
  RBAC,
  SCHEDULING,
  STORAGE,
} from './other-types.ts';
import type { StructShape } from './shape.ts';
import { readRow } from './type-row.ts';
import { APPS, AUTOSCALING, AUTOSCALING1, BATCH, POLICY } from './workload-types.ts';

/** Types by the group names that rows use: the first part of a group's name. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  meta: META,
  core: CORE,
  apps: APPS,
  batch: BATCH,
  autoscaling: AUTOSCALING,
  autoscaling1: AUTOSCALING1,
  policy: POLICY,
  networking: NETWORKING,
  rbac: RBAC,
  storage: STORAGE,
  coordination: COORDINATION,
  discovery: DISCOVERY,
  events: EVENTS,
  scheduling: SCHEDULING,
  authentication: AUTHENTICATION,
  authorization: AUTHORIZATION,
  admissionregistration: ADMISSIONREGISTRATION,
  apiextensions: APIEXTENSIONS,
  apiregistration: APIREGISTRATION,
  node: NODE,
};

const read = new Map<string, StructShape>();

/** Returns a type by group and name, `core.Pod`; undefined if the tables lack it. */
export function findType(qualified: string): StructShape | undefined {
  const known = read.get(qualified);
  if (known !== undefined) return known;
  const [group = '', name = ''] = qualified.split('.');
  const rows = Object.hasOwn(GROUPS, group) ? GROUPS[group] : undefined;
  const row = rows !== undefined && Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (row === undefined) return undefined;
  const shape = readRow(qualified, row, (other) => named(other.includes('.') ? other : `${group}.${other}`));
  read.set(qualified, shape);
  return shape;
}

function named(qualified: string): StructShape {
  const shape = findType(qualified);
  if (shape === undefined) throw new Error(`no row for the type ${qualified}`);
  return shape;
}

/** Returns the name that rows use for a group and version. */
export function groupName(group: string, version: string): string {
  if (group === '') return 'core';
  const prefix = group.split('.')[0] ?? '';
  return prefix === 'autoscaling' && version === 'v1' ? 'autoscaling1' : prefix;
}
