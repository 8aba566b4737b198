import type { ResourceType } from '../client.ts';
import { asRecord } from '../values/as-record.ts';
import { records, text, texts } from './aggregated.ts';

/** A group (`''` for the core group) in one of its versions. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/**
 * Returns the group versions of an APIVersions (`/api`) or an APIGroupList (`/apis`), each group's preferred one first.
 */
export function readGroupVersions(document: unknown): readonly GroupVersion[] {
  const list = asRecord(document);
  if (list?.kind === 'APIVersions') return texts(list.versions).map((version) => ({ group: '', version }));
  return records(list?.groups).flatMap((entry) => {
    const group = text(entry.name);
    const preferred = text(asRecord(entry.preferredVersion)?.version);
    const versions = records(entry.versions).map((item) => text(item.version));
    return [...new Set([preferred, ...versions])]
      .filter((version) => version !== '' && group !== '')
      .map((version) => ({ group, version }));
  });
}

/** Returns the resources of an APIResourceList without subresources (`pods/log`). */
export function readResourceList(document: unknown, groupVersion: GroupVersion): readonly ResourceType[] {
  return records(asRecord(document)?.resources).flatMap((resource) => {
    const plural = text(resource.name);
    const kind = text(resource.kind);
    if (plural === '' || kind === '' || plural.includes('/')) return [];
    return [
      {
        ...groupVersion,
        plural,
        singular: text(resource.singularName) || kind.toLowerCase(),
        kind,
        shortNames: texts(resource.shortNames),
        namespaced: resource.namespaced === true,
        verbs: texts(resource.verbs),
      },
    ];
  });
}
