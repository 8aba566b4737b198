import { X509Certificate } from 'node:crypto';
import { asRecord } from '@logtool/kube/src/values/as-record.ts';

/**
 * How an extension API server recognizes the API server in front of it, and in which headers that names its caller.
 * Names of headers are in lower case.
 * https://kubernetes.io/docs/tasks/extend-kubernetes/configure-aggregation-layer/#kubernetes-apiserver-client-authentication
 */
export interface RequestHeader {
  readonly authorities: readonly X509Certificate[];
  /** Empty: every common name. */
  readonly allowedNames: readonly string[];
  readonly userHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraPrefixes: readonly string[];
}

/** Why the ConfigMap says nothing about the front proxy: its key, and what is wrong there. */
export interface RequestHeaderProblem {
  readonly key: string;
  readonly problem: 'absent' | 'not-certificates' | 'not-names';
}

const AUTHORITIES = 'requestheader-client-ca-file';
const BEGIN = /-----BEGIN /g;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * Reads the `data` of the ConfigMap `kube-system/extension-apiserver-authentication`. A list of names is JSON; `null`
 * and an absent list are empty. A part that cannot be read makes all of it a problem, so that a typing error never
 * admits more callers.
 */
export function parseRequestHeader(data: unknown): RequestHeader | RequestHeaderProblem {
  const texts = asRecord(data) ?? {};
  const authorities = readCertificates(texts[AUTHORITIES], AUTHORITIES);
  if (!Array.isArray(authorities)) return authorities;
  const lists = readLists(texts);
  if ('problem' in lists) return lists;
  if (lists.userHeaders.length === 0) return { key: LISTS.userHeaders, problem: 'absent' };
  return { authorities, ...lists };
}

/** Returns the certificates of a PEM bundle, or what is wrong with it; `key` names the bundle in the problem. */
export function readCertificates(text: unknown, key: string): X509Certificate[] | RequestHeaderProblem {
  if (typeof text !== 'string' || text.trim() === '') return { key, problem: 'absent' };
  const blocks = text.match(CERTIFICATE) ?? [];
  if (blocks.length === 0 || blocks.length !== text.match(BEGIN)?.length) {
    return { key, problem: 'not-certificates' };
  }
  try {
    return blocks.map((pem) => new X509Certificate(pem));
  } catch {
    return { key, problem: 'not-certificates' };
  }
}

type ListName = Exclude<keyof RequestHeader, 'authorities'>;

const LISTS: Readonly<Record<ListName, string>> = {
  allowedNames: 'requestheader-allowed-names',
  userHeaders: 'requestheader-username-headers',
  uidHeaders: 'requestheader-uid-headers',
  groupHeaders: 'requestheader-group-headers',
  extraPrefixes: 'requestheader-extra-headers-prefix',
};

function readLists(
  texts: Readonly<Record<string, unknown>>,
): Readonly<Record<ListName, readonly string[]>> | RequestHeaderProblem {
  const lists = { allowedNames: [], userHeaders: [], uidHeaders: [], groupHeaders: [], extraPrefixes: [] };
  const read: Record<ListName, readonly string[]> = lists;
  for (const [name, key] of Object.entries(LISTS) as [ListName, string][]) {
    const list = readNames(texts[key]);
    if (list === undefined) return { key, problem: 'not-names' };
    read[name] = name === 'allowedNames' ? list : list.map((header) => header.toLowerCase());
  }
  // An API server sends this header without naming it in the ConfigMap: test/recorded/aggregation/configmap.json.
  if (texts[LISTS.uidHeaders] === undefined) read.uidHeaders = ['x-remote-uid'];
  return read;
}

function readNames(text: unknown): readonly string[] | undefined {
  if (text === undefined || text === '') return [];
  try {
    const list: unknown = JSON.parse(String(text)) ?? [];
    const isNames = Array.isArray(list) && list.every((name) => typeof name === 'string' && name !== '');
    return isNames ? list : undefined;
  } catch {
    return undefined;
  }
}
