import type { Download, HelmFailures, IndexProblem, Outage } from '@logtool/helm/src/failures.ts';
import type { SkippedVersion } from '@logtool/helm/src/repository/read-index.ts';
import { whyText } from '../../../messages/problems.ts';
import type { ComposedMessages } from '../message.ts';

type Codes = Pick<
  HelmFailures,
  | 'bad-repository-name'
  | 'bad-version-range'
  | 'chart-digest-invalid'
  | 'chart-digest-wrong'
  | 'chart-not-found'
  | 'chart-version-not-found'
  | 'chart-without-address'
  | 'repositories-changing'
  | 'repositories-file-invalid'
  | 'repositories-locked'
  | 'repository-address-unsupported'
  | 'repository-answer'
  | 'repository-certificates-unusable'
  | 'repository-exists'
  | 'repository-file-not-readable'
  | 'repository-file-not-writable'
  | 'repository-index-invalid'
  | 'repository-not-updated'
  | 'repository-unknown'
  | 'repository-unreachable'
  | 'repository-web-page'
>;

export const REPOSITORY_MESSAGES: ComposedMessages<Codes> = {
  'bad-repository-name': ({ name }) => ({
    what: `${JSON.stringify(name.slice(0, 100))} cannot be the name of a repository`,
    why: 'a name has letters, digits, dots, underscores and hyphens only',
    next: 'choose another name',
  }),
  'bad-version-range': ({ range, why }) => ({
    what: `${JSON.stringify(range.slice(0, 100))} is neither a version nor a range of versions`,
    why: why.slice(0, 200),
    next: 'write a version such as 1.2.3, or a range such as ^1.2 or ">= 1.2, < 2"',
  }),
  'chart-digest-invalid': ({ of }) => ({
    what: `cannot verify ${downloadText(of)}`,
    why: 'its digest in the index is not a SHA-256 in hexadecimal',
    next: 'report it to the maintainer of the repository',
  }),
  'chart-digest-wrong': ({ of, wanted, got }) => ({
    what: `${downloadText(of)} does not match its digest in the index`,
    why: `its SHA-256 is ${got}, not ${wanted}`,
    next: 'run logtool cluster repo update and try again; if it fails again, report it to the maintainer of the repository',
  }),
  'chart-not-found': ({ repository, chart }) => ({
    what: `the repository ${repository} has no chart ${JSON.stringify(chart)}`,
    why: 'the last index that logtool read does not list it',
    next: 'run logtool cluster repo update, or check the address of the repository',
  }),
  'chart-version-not-found': ({ repository, chart, range, known, hasMore }) => ({
    what: `the repository ${repository} has no version of ${chart} that fits${range === '' ? '' : ` ${range}`}`,
    why:
      known.length === 0
        ? 'its index has no valid version of it'
        : `it has ${known.join(', ')}${hasMore ? ' and older ones' : ''}`,
    next: 'run logtool cluster repo update for newer ones, or name another --version',
  }),
  'chart-without-address': ({ of }) => ({
    what: `cannot download ${downloadText(of)}`,
    why: 'the index names no address for it',
    next: 'use another version, or report it to the maintainer of the repository',
  }),
  'repositories-file-invalid': ({ file, why }) => ({
    what: `cannot use ${file}`,
    why,
    next: 'correct it, or move it away; logtool then creates a new one',
  }),
  'repositories-changing': ({ file }) => ({
    what: `cannot write ${file}`,
    why: 'another program keeps changing it',
    next: 'try again once the other program has ended',
  }),
  'repositories-locked': ({ file, lock, waitedMs }) => ({
    what: `another logtool is changing ${file}`,
    why: `${lock} still exists after ${waitedMs / 1000} s`,
    next: 'try again; if no other logtool runs, delete that file',
  }),
  'repository-address-unsupported': ({ of, problem }) => ({
    what: `cannot use ${of.kind === 'repository' ? `the repository ${of.name}` : downloadText(of)}`,
    why: ADDRESS_PROBLEMS[problem],
    next: 'name a chart repository by its http:// or https:// address, or give a packed chart with --chart',
  }),
  'repository-answer': ({ of, address, status, statusText, hadCredentials }) => ({
    what: `cannot download ${downloadText(of)} from ${address}`,
    why: `the server answered ${status} ${statusText}`.trim(),
    next: answerAdvice(status, hadCredentials),
  }),
  'repository-certificates-unusable': (data) => ({
    what: 'cannot use the certificates that the repository names',
    why: data.problem === 'no-pem' ? 'the file contains no PEM certificate' : data.why,
    next: 'give PEM files: an authority, or a certificate and its key',
  }),
  'repository-exists': ({ name, differs }) => ({
    what: `there is already another repository named ${name}`,
    why: differenceText(differs),
    next: 'give --force-update to replace it',
  }),
  'repository-file-not-readable': ({ path, why, repository }) =>
    repository === undefined
      ? { what: `cannot read ${path}`, why: whyText(why), next: OTHER_FILES }
      : {
          what: `cannot read ${path}, which the repository ${repository} names`,
          why: whyText(why),
          next: 'put the file there, or add the repository again with another one',
        },
  'repository-file-not-writable': ({ path, why }) => ({
    what: `cannot write ${path}`,
    why,
    next: OTHER_FILES,
  }),
  'repository-index-invalid': (data) => ({
    what: `cannot use the index of ${data.source}`,
    why: indexText(data),
    next: 'check that the address is that of a chart repository; if it is, report it to the maintainer of the repository',
  }),
  'repository-not-updated': ({ name }) => ({
    what: `logtool does not know the charts of the repository ${name}`,
    why: 'logtool never loaded its index, or something emptied the cache',
    next: 'run: logtool cluster repo update',
  }),
  'repository-unknown': ({ name, file }) => ({
    what: `there is no repository ${JSON.stringify(name.slice(0, 100))}`,
    why: `${file} does not name it`,
    next: 'add it: logtool cluster repo add URL',
  }),
  'repository-unreachable': ({ of, address, outage, certificate, proxy }, messageOf) => {
    const refusal = proxy === undefined ? undefined : messageOf(proxy);
    const advice = refusal?.next ?? 'check the address and the network, and try again';
    return {
      what: `cannot download ${downloadText(of)} from ${address}`,
      why: refusal === undefined ? outageText(outage) : `${refusal.what}: ${refusal.why}`,
      next: certificate === undefined ? advice : certificateAdvice(certificate.caFile),
    };
  },
  'repository-web-page': ({ source }) => ({
    what: `cannot use the index of ${source}`,
    why: 'it is a web page, such as a sign-in page',
    next: 'check the address, and whether the network requires you to sign in with a browser first',
  }),
};

const OTHER_FILES =
  'check the path and its permissions; HELM_REPOSITORY_CONFIG and HELM_REPOSITORY_CACHE name others';

const ADDRESS_PROBLEMS = {
  oci: 'it is in an OCI registry (oci://), which logtool cannot read',
  scheme: 'its address is not one of http:// or https://',
  provenance: 'it is a provenance file (.prov), which logtool cannot check',
} as const;

function answerAdvice(status: number, hadCredentials: boolean): string {
  if (status === 404) return 'check the address of the repository';
  if (status !== 401 && status !== 403) return 'try again later';
  return hadCredentials
    ? 'check user and password'
    : 'if it needs a user and a password, give --username and --password; logtool sends them only to the repository';
}

function certificateAdvice(caFile: string): string {
  return caFile === ''
    ? 'name the authority that signed its certificate with --ca-file FILE'
    : `check that ${caFile} holds the authority that signed its certificate`;
}

function differenceText(differs: HelmFailures['repository-exists']['differs']): string {
  switch (differs.by) {
    case 'url':
      return `its address is ${differs.address}`;
    case 'credentials':
      return 'the address is the same, but has other credentials or another query';
    case 'fields':
      return `the address is the same, but other settings differ: ${differs.fields.join(', ')}`;
  }
}

function indexText(problem: IndexProblem): string {
  switch (problem.problem) {
    case 'content':
      return problem.why;
    case 'time':
      return `${quoted(problem.text)} is not an RFC 3339 time`;
    case 'values':
      return `it has more than ${problem.max} values`;
    case 'nesting':
      return 'it is nested too deeply';
  }
}

function downloadText(download: Download): string {
  switch (download.kind) {
    case 'chart':
      return `chart ${download.name} ${download.version}`;
    case 'index':
      return `the index of the repository ${download.name}`;
    case 'values':
      return 'the values';
  }
}

function outageText(outage: Outage): string {
  switch (outage.problem) {
    case 'silent':
      return `it sent nothing for ${outage.afterMs / 1000} s`;
    case 'unfinished':
      return `the answer was not complete after ${outage.afterMs / 60_000} minutes`;
    case 'cut':
      return 'the answer ended before it was complete';
    case 'too-large':
      return `it is larger than ${outage.limitMiB} MiB`;
    case 'redirect-invalid':
      return 'it redirects to an invalid address';
    case 'redirects':
      return `it redirects more than ${outage.max} times`;
    case 'system':
      return outage.why;
  }
}

/** Describes an invalid version of a chart in an index. */
export function skippedText({ chart, version, why }: SkippedVersion): string {
  return `logtool ignores chart ${quoted(chart)} ${quoted(version)}: ${why}`;
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
