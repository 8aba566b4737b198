import type { HelmFailures } from '@logtool/helm/src/failures.ts';
import type { ComposedMessages } from '../message.ts';

type Codes = Pick<
  HelmFailures,
  | 'chart-digest-wrong'
  | 'chart-not-found'
  | 'chart-version-not-found'
  | 'repositories-file-invalid'
  | 'repositories-locked'
  | 'repository-address-unsupported'
  | 'repository-answer'
  | 'repository-exists'
  | 'repository-not-updated'
  | 'repository-unknown'
  | 'repository-unreachable'
>;

export const REPOSITORY_MESSAGES: ComposedMessages<Codes> = {
  'chart-digest-wrong': ({ what, wanted, got }) => ({
    what: `${what} is not the one that the index means`,
    why: `its SHA-256 is ${got}, and should be ${wanted}`,
    next: 'run logtool cluster repo update and try again; if it fails again, report it to the maintainer of the repository',
  }),
  'chart-not-found': ({ repository, chart }) => ({
    what: `the repository ${repository} has no chart ${JSON.stringify(chart)}`,
    why: 'its index, as it was read last, does not name it',
    next: 'run logtool cluster repo update, or check the address of the repository',
  }),
  'chart-version-not-found': ({ repository, chart, range, known, hasMore }) => ({
    what: `the repository ${repository} has no version of ${chart} that fits${range === '' ? '' : ` ${range}`}`,
    why:
      known.length === 0
        ? 'its index has no sound version of it'
        : `it has ${known.join(', ')}${hasMore ? ' and older ones' : ''}`,
    next: 'run logtool cluster repo update for newer ones, or name another --version',
  }),
  'repositories-file-invalid': ({ file, why }) => ({
    what: `${file} cannot be used`,
    why,
    next: 'correct it, or move it away: logtool then creates a new one',
  }),
  'repositories-locked': ({ file, lock, waitedMs }) => ({
    what: `${file} is being changed by another logtool`,
    why: `${lock} is still there after ${waitedMs / 1000} s`,
    next: 'try again; delete that file where no other logtool runs',
  }),
  'repository-address-unsupported': ({ whose, problem }) => ({
    what: `${whose} cannot be used`,
    why: ADDRESS_PROBLEMS[problem],
    next: 'name a chart repository by its http:// or https:// address, or give a packed chart with --chart',
  }),
  'repository-answer': ({ what, address, status, statusText, hadCredentials }) => ({
    what: `cannot download ${what} from ${address}`,
    why: `the server answered ${status} ${statusText}`.trim(),
    next: answerAdvice(status, hadCredentials),
  }),
  'repository-exists': ({ name, differs }) => ({
    what: `there is a repository ${name} already, and it is another one`,
    why: differenceText(differs),
    next: 'give --force-update to replace it',
  }),
  'repository-not-updated': ({ name }) => ({
    what: `nothing is known of the charts of the repository ${name}`,
    why: 'its index was never loaded, or the cache was emptied',
    next: 'run: logtool cluster repo update',
  }),
  'repository-unknown': ({ name, file }) => ({
    what: `there is no repository ${JSON.stringify(name.slice(0, 100))}`,
    why: `${file} does not name it`,
    next: 'add it: logtool cluster repo add URL',
  }),
  'repository-unreachable': ({ what, address, why, certificate, proxy }, messageOf) => {
    const refusal = proxy === undefined ? undefined : messageOf(proxy);
    const advice = refusal?.next ?? 'check the address and the network, and try again';
    return {
      what: `cannot download ${what} from ${address}`,
      why: refusal === undefined ? why : `${refusal.what}: ${refusal.why}`,
      next: certificate === undefined ? advice : certificateAdvice(certificate.caFile),
    };
  },
};

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
    : 'it may need a user and a password, which are sent only to the repository: --username and --password';
}

function certificateAdvice(caFile: string): string {
  return caFile === ''
    ? 'name the authority that signed its certificate: --ca-file FILE'
    : `check that ${caFile} holds the authority that signed its certificate`;
}

function differenceText(differs: HelmFailures['repository-exists']['differs']): string {
  switch (differs.by) {
    case 'url':
      return `its address is ${differs.address}`;
    case 'credentials':
      return 'the same address, with other credentials in it or another query';
    case 'fields':
      return `the same address, with a different ${differs.fields.join(', ')}`;
  }
}
