import type { StoredObject } from '../../store/store.ts';
import { AGE, type ColumnRow, NAME } from './column-row.ts';
import { since } from './duration.ts';
import { at, fields, text } from './read.ts';

/** The columns of ConfigMaps, Secrets and ServiceAccounts (kubernetes: pkg/printers/internalversion). */
export const CONFIGURATION_COLUMNS: Readonly<Record<string, readonly ColumnRow[]>> = {
  configmaps: [
    ['Name', 'string', 'name', 0, NAME],
    ['Data', 'string', '', 0, 'Data contains the configuration data.'],
    ['Age', 'string', '', 0, AGE],
  ],
  secrets: [
    ['Name', 'string', 'name', 0, NAME],
    ['Type', 'string', '', 0, 'Used to facilitate programmatic handling of secret data.'],
    ['Data', 'string', '', 0, 'Data contains the secret data.'],
    ['Age', 'string', '', 0, AGE],
  ],
  serviceaccounts: [
    ['Name', 'string', 'name', 0, NAME],
    ['Age', 'string', '', 0, AGE],
  ],
};

export function serviceAccountCells(account: unknown, nowMs: number): readonly unknown[] {
  const { metadata } = account as StoredObject;
  return [metadata.name, since(metadata.creationTimestamp, nowMs)];
}

export function configMapCells(map: unknown, nowMs: number): readonly unknown[] {
  const { metadata, data, binaryData } = map as StoredObject;
  const count = Object.keys(fields(data)).length + Object.keys(fields(binaryData)).length;
  return [metadata.name, count, since(metadata.creationTimestamp, nowMs)];
}

export function secretCells(secret: unknown, nowMs: number): readonly unknown[] {
  const { metadata, data } = secret as StoredObject;
  const age = since(metadata.creationTimestamp, nowMs);
  return [metadata.name, text(at(secret, 'type')), Object.keys(fields(data)).length, age];
}
