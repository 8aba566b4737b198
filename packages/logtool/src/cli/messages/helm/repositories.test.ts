import { helmFailure } from '@logtool/helm/src/failures.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { expect, test } from 'vitest';
import { helmMessageOf } from '../helm.ts';
import type { Message } from '../message.ts';

test.each<[CodedError, Message]>([
  [
    helmFailure('bad-repository-name', { name: 'a/b' }),
    {
      what: '"a/b" cannot be the name of a repository',
      why: 'a name has letters, digits, dots, underscores and hyphens only',
      next: 'choose another name',
    },
  ],
  [
    helmFailure('chart-digest-invalid', { of: { kind: 'chart', name: 'logtool', version: '0.2.0' } }),
    {
      what: 'cannot verify chart logtool 0.2.0',
      why: 'its digest in the index is not a SHA-256 in hexadecimal',
      next: 'report it to the maintainer of the repository',
    },
  ],
  [
    helmFailure('chart-digest-wrong', {
      of: { kind: 'chart', name: 'logtool', version: '0.2.0' },
      wanted: 'f2fd6d8b8dbdb2c0ebc71b1bc3d93bb6ab12f147b3aeda64aeaa7a43c5574b9d',
      got: '640628335fb7e94c630f6276f5429fd5357d44bb6d88ff7635f162dffedb00c0',
    }),
    {
      what: 'chart logtool 0.2.0 does not match its digest in the index',
      why: 'its SHA-256 is 640628335fb7e94c630f6276f5429fd5357d44bb6d88ff7635f162dffedb00c0, not f2fd6d8b8dbdb2c0ebc71b1bc3d93bb6ab12f147b3aeda64aeaa7a43c5574b9d',
      next: 'run logtool cluster repo update and try again; if it fails again, report it to the maintainer of the repository',
    },
  ],
  [
    helmFailure('repositories-file-invalid', {
      file: '/home/ann/.config/helm/repositories.yaml',
      why: 'error unmarshaling JSON: while decoding JSON: json: cannot unmarshal object into Go struct field File.repositories of type []',
    }),
    {
      what: 'cannot use /home/ann/.config/helm/repositories.yaml',
      why: 'error unmarshaling JSON: while decoding JSON: json: cannot unmarshal object into Go struct field File.repositories of type []',
      next: 'correct it, or move it away; logtool then creates a new one',
    },
  ],
  [
    helmFailure('repositories-locked', {
      file: '/home/ann/.config/helm/repositories.yaml',
      lock: '/home/ann/.config/helm/repositories.yaml.logtool-lock',
      waitedMs: 30000,
    }),
    {
      what: 'another logtool is changing /home/ann/.config/helm/repositories.yaml',
      why: '/home/ann/.config/helm/repositories.yaml.logtool-lock still exists after 30 s',
      next: 'try again; if no other logtool runs, delete that file',
    },
  ],
  [
    helmFailure('repository-address-unsupported', {
      of: { kind: 'chart', name: 'logtool', version: '0.2.0' },
      problem: 'oci',
    }),
    {
      what: 'cannot use chart logtool 0.2.0',
      why: 'it is in an OCI registry (oci://), which logtool cannot read',
      next: 'name a chart repository by its http:// or https:// address, or give a packed chart with --chart',
    },
  ],
  [
    helmFailure('repository-address-unsupported', {
      of: { kind: 'chart', name: 'logtool', version: '0.2.0' },
      problem: 'scheme',
    }),
    {
      what: 'cannot use chart logtool 0.2.0',
      why: 'its address is not one of http:// or https://',
      next: 'name a chart repository by its http:// or https:// address, or give a packed chart with --chart',
    },
  ],
  [
    helmFailure('repository-address-unsupported', {
      of: { kind: 'chart', name: 'logtool', version: '0.2.0' },
      problem: 'provenance',
    }),
    {
      what: 'cannot use chart logtool 0.2.0',
      why: 'it is a provenance file (.prov), which logtool cannot check',
      next: 'name a chart repository by its http:// or https:// address, or give a packed chart with --chart',
    },
  ],
  [
    helmFailure('repository-address-unsupported', {
      of: { kind: 'repository', name: 'logtool' },
      problem: 'oci',
    }),
    {
      what: 'cannot use the repository logtool',
      why: 'it is in an OCI registry (oci://), which logtool cannot read',
      next: 'name a chart repository by its http:// or https:// address, or give a packed chart with --chart',
    },
  ],
  [
    helmFailure('repository-address-unsupported', {
      of: { kind: 'repository', name: 'logtool' },
      problem: 'scheme',
    }),
    {
      what: 'cannot use the repository logtool',
      why: 'its address is not one of http:// or https://',
      next: 'name a chart repository by its http:// or https:// address, or give a packed chart with --chart',
    },
  ],
  [
    helmFailure('repository-address-unsupported', {
      of: { kind: 'index', name: 'logtool' },
      problem: 'scheme',
    }),
    {
      what: 'cannot use the index of the repository logtool',
      why: 'its address is not one of http:// or https://',
      next: 'name a chart repository by its http:// or https:// address, or give a packed chart with --chart',
    },
  ],
  [
    helmFailure('repository-answer', {
      of: { kind: 'index', name: 'logtool' },
      address: 'http://127.0.0.1:8080/index.yaml',
      status: 404,
      statusText: 'Not Found',
      hadCredentials: false,
    }),
    {
      what: 'cannot download the index of the repository logtool from http://127.0.0.1:8080/index.yaml',
      why: 'the server answered 404 Not Found',
      next: 'check the address of the repository',
    },
  ],
  [
    helmFailure('repository-answer', {
      of: { kind: 'index', name: 'logtool' },
      address: 'http://127.0.0.1:8080/index.yaml',
      status: 401,
      statusText: 'Unauthorized',
      hadCredentials: false,
    }),
    {
      what: 'cannot download the index of the repository logtool from http://127.0.0.1:8080/index.yaml',
      why: 'the server answered 401 Unauthorized',
      next: 'if it needs a user and a password, give --username and --password; logtool sends them only to the repository',
    },
  ],
  [
    helmFailure('repository-answer', {
      of: { kind: 'index', name: 'logtool' },
      address: 'http://127.0.0.1:8080/index.yaml',
      status: 404,
      statusText: 'Not Found',
      hadCredentials: true,
    }),
    {
      what: 'cannot download the index of the repository logtool from http://127.0.0.1:8080/index.yaml',
      why: 'the server answered 404 Not Found',
      next: 'check the address of the repository',
    },
  ],
  [
    helmFailure('repository-certificates-unusable', { problem: 'no-pem' }),
    {
      what: 'cannot use the certificates that the repository names',
      why: 'the file contains no PEM certificate',
      next: 'give PEM files: an authority, or a certificate and its key',
    },
  ],
  [
    helmFailure('repository-exists', {
      name: 'logtool',
      differs: { by: 'fields', fields: ['username', 'password'] },
    }),
    {
      what: 'there is already another repository named logtool',
      why: 'the address is the same, but other settings differ: username, password',
      next: 'give --force-update to replace it',
    },
  ],
  [
    helmFailure('repository-exists', { name: 'logtool', differs: { by: 'credentials' } }),
    {
      what: 'there is already another repository named logtool',
      why: 'the address is the same, but has other credentials or another query',
      next: 'give --force-update to replace it',
    },
  ],
  [
    helmFailure('repository-exists', {
      name: 'logtool',
      differs: { by: 'url', address: 'http://127.0.0.1:8080/' },
    }),
    {
      what: 'there is already another repository named logtool',
      why: 'its address is http://127.0.0.1:8080/',
      next: 'give --force-update to replace it',
    },
  ],
  [
    helmFailure('repository-file-not-readable', {
      path: '/home/ann/.cache/helm/repository/logtool-index.yaml',
      why: { code: 'file-too-large', data: { limitMib: 50 } },
    }),
    {
      what: 'cannot read /home/ann/.cache/helm/repository/logtool-index.yaml',
      why: 'it is larger than 50 MiB',
      next: 'check the path and its permissions; HELM_REPOSITORY_CONFIG and HELM_REPOSITORY_CACHE name others',
    },
  ],
  [
    helmFailure('repository-index-invalid', {
      source: 'http://127.0.0.1:8080/',
      problem: 'content',
      why: 'error converting YAML to JSON: yaml: line 2: did not find expected node content',
    }),
    {
      what: 'cannot use the index of http://127.0.0.1:8080/',
      why: 'error converting YAML to JSON: yaml: line 2: did not find expected node content',
      next: 'check that the address is that of a chart repository; if it is, report it to the maintainer of the repository',
    },
  ],
  [
    helmFailure('repository-index-invalid', {
      source: '/home/ann/.cache/helm/repository/logtool-index.yaml',
      problem: 'values',
      max: 3000000,
    }),
    {
      what: 'cannot use the index of /home/ann/.cache/helm/repository/logtool-index.yaml',
      why: 'it has more than 3000000 values',
      next: 'check that the address is that of a chart repository; if it is, report it to the maintainer of the repository',
    },
  ],
  [
    helmFailure('repository-unknown', { name: 'logtool', file: '/home/ann/.config/helm/repositories.yaml' }),
    {
      what: 'there is no repository "logtool"',
      why: '/home/ann/.config/helm/repositories.yaml does not name it',
      next: 'add it: logtool cluster repo add URL',
    },
  ],
  [
    helmFailure('repository-unreachable', {
      of: { kind: 'chart', name: 'logtool', version: '1.0.0' },
      address: 'http://127.0.0.1:8080/logtool-1.0.0.tgz',
      outage: { problem: 'too-large', limitMiB: 20 },
    }),
    {
      what: 'cannot download chart logtool 1.0.0 from http://127.0.0.1:8080/logtool-1.0.0.tgz',
      why: 'it is larger than 20 MiB',
      next: 'check the address and the network, and try again',
    },
  ],
  [
    helmFailure('repository-unreachable', {
      of: { kind: 'index', name: 'logtool' },
      address: 'https://127.0.0.1:8080/index.yaml',
      outage: { problem: 'system', why: 'self-signed certificate' },
      certificate: { caFile: '' },
    }),
    {
      what: 'cannot download the index of the repository logtool from https://127.0.0.1:8080/index.yaml',
      why: 'self-signed certificate',
      next: 'name the authority that signed its certificate with --ca-file FILE',
    },
  ],
  [
    helmFailure('repository-unreachable', {
      of: { kind: 'index', name: 'logtool' },
      address: 'https://127.0.0.1:8080/index.yaml',
      outage: { problem: 'system', why: 'self-signed certificate' },
      certificate: { caFile: '/home/ann/wrong.pem' },
    }),
    {
      what: 'cannot download the index of the repository logtool from https://127.0.0.1:8080/index.yaml',
      why: 'self-signed certificate',
      next: 'check that /home/ann/wrong.pem holds the authority that signed its certificate',
    },
  ],
  [
    helmFailure('repository-unreachable', {
      of: { kind: 'index', name: 'logtool' },
      address: 'http://127.0.0.1:8080/index.yaml',
      outage: { problem: 'cut' },
    }),
    {
      what: 'cannot download the index of the repository logtool from http://127.0.0.1:8080/index.yaml',
      why: 'the answer ended before it was complete',
      next: 'check the address and the network, and try again',
    },
  ],
  [
    helmFailure('repository-unreachable', {
      of: { kind: 'index', name: 'logtool' },
      address: 'http://127.0.0.1:8080/index.yaml',
      outage: { problem: 'too-large', limitMiB: 50 },
    }),
    {
      what: 'cannot download the index of the repository logtool from http://127.0.0.1:8080/index.yaml',
      why: 'it is larger than 50 MiB',
      next: 'check the address and the network, and try again',
    },
  ],
  [
    helmFailure('repository-unreachable', {
      of: { kind: 'index', name: 'logtool' },
      address: 'http://127.0.0.1:8080/index.yaml',
      outage: { problem: 'redirects', max: 10 },
    }),
    {
      what: 'cannot download the index of the repository logtool from http://127.0.0.1:8080/index.yaml',
      why: 'it redirects more than 10 times',
      next: 'check the address and the network, and try again',
    },
  ],
  [
    helmFailure('repository-unreachable', {
      of: { kind: 'index', name: 'logtool' },
      address: 'http://127.0.0.1:8080/index.yaml',
      outage: { problem: 'silent', afterMs: 30000 },
    }),
    {
      what: 'cannot download the index of the repository logtool from http://127.0.0.1:8080/index.yaml',
      why: 'it sent nothing for 30 s',
      next: 'check the address and the network, and try again',
    },
  ],
  [
    helmFailure('repository-unreachable', {
      of: { kind: 'index', name: 'logtool' },
      address: 'http://127.0.0.1:8080/index.yaml',
      outage: { problem: 'unfinished', afterMs: 600000 },
    }),
    {
      what: 'cannot download the index of the repository logtool from http://127.0.0.1:8080/index.yaml',
      why: 'the answer was not complete after 10 minutes',
      next: 'check the address and the network, and try again',
    },
  ],
  [
    helmFailure('repository-web-page', { source: 'http://127.0.0.1:8080/' }),
    {
      what: 'cannot use the index of http://127.0.0.1:8080/',
      why: 'it is a web page, such as a sign-in page',
      next: 'check the address, and whether the network requires you to sign in with a browser first',
    },
  ],
])('$code and its data make a message: %#', (failure, message) => {
  expect(helmMessageOf(failure)).toEqual(message);
});
