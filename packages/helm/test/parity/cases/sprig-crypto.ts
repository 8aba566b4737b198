import type { CaseTable } from '../case.ts';
import { combine } from '../combine.ts';

const CERT = '^-----BEGIN CERTIFICATE-----\\\\n([A-Za-z0-9+/=]+\\\\n)+-----END CERTIFICATE-----\\\\n$';
const KEY =
  '^-----BEGIN (RSA |EC )?PRIVATE KEY-----\\\\n([A-Za-z0-9+/=]{1,64}\\\\n)+-----END (RSA |EC )?PRIVATE KEY-----\\\\n$';
const shaped = (made: string) =>
  `{{ $c := ${made} }}{{ regexMatch "${CERT}" $c.Cert }} {{ regexMatch "${KEY}" $c.Key }} {{ splitList "\\n" $c.Key | first }} {{ typeOf $c }} {{ kindOf $c }}`;
const ECDSA = '(genPrivateKey "ecdsa")';
const ED25519 = '(genPrivateKey "ed25519")';
const MALFORMED = [
  '""',
  '"x"',
  '"-----BEGIN CERTIFICATE-----\\nAAAA\\n-----END CERTIFICATE-----"',
  '"-----BEGIN FOO PRIVATE KEY-----\\nAAAA\\n-----END FOO PRIVATE KEY-----"',
  '"-----BEGIN RSA PRIVATE KEY-----\\n-----END RSA PRIVATE KEY-----x"',
];
/** Go and OpenSSL word errors about the bytes of a key differently. */
const BAD_BYTES = ['RSA PRIVATE KEY', 'EC PRIVATE KEY', 'PRIVATE KEY'].map(
  (type) => `"-----BEGIN ${type}-----\\nAAAA\\n-----END ${type}-----\\n"`,
);

/** Keys, certificates and passwords; what chance makes is compared by its shape. */
export const SPRIG_CRYPTO: CaseTable = [
  ...[
    'genCA "ca" 365',
    'genSelfSignedCert "cn" nil nil 1',
    `genSelfSignedCertWithKey "" (list "1.2.3.4" "::1") (list "a.b" "*.c") 10 ${ECDSA}`,
    `genSignedCert "cn" (list) (list "x") 365 (genCAWithKey "ca" 365 ${ECDSA})`,
    `genCAWithKey "ca" 365 ${ECDSA}`,
    `genSelfSignedCertWithKey "é" nil (list "a") 3 ${ED25519}`,
    `genSignedCertWithKey "cn" nil nil 2 (genCAWithKey "ca" 365 ${ED25519}) ${ECDSA}`,
  ].map(shaped),
  ...combine(
    '{{ $k := genPrivateKey K }}{{ splitList "\\n" $k | first }} {{ regexMatch R $k }} {{ hasSuffix "-----\\n" $k }}',
    { K: ['"ecdsa"', '"ed25519"'], R: [`"${KEY}"`] },
  ),
  '{{ genPrivateKey "nope" }}|{{ genPrivateKey "RSA" }}',
  '{{ genPrivateKey 1 }}',
  '{{ genPrivateKey }}',
  '{{ $ca := genCAWithKey "x" 1 (genPrivateKey "ecdsa") }}{{ $ca.Nope }}',
  '{{ $ca := genCAWithKey "x" 1 (genPrivateKey "ecdsa") }}{{ eq (buildCustomCert ($ca.Cert | b64enc) ($ca.Key | b64enc)).Cert $ca.Cert }}',
  '{{ $ca := genCAWithKey "x" 1 (genPrivateKey "ecdsa") }}{{ $c := buildCustomCert ($ca.Cert | b64enc) ($ca.Key | b64enc) }}{{ regexMatch "CERT" (genSignedCert "a" nil nil 1 $c).Cert }}',
  '{{ $ca := genCAWithKey "x" 1 (genPrivateKey "ecdsa") }}{{ hasPrefix "{-----BEGIN CERTIFICATE-----\\n" (print $ca) }}{{ hasSuffix "-----\\n}" (toString $ca) }}',
  '{{ $ca := genCAWithKey "x" 1 (genPrivateKey "ecdsa") }}{{ keys (fromJson (toJson $ca)) | sortAlpha }}',
  ...combine('{{ genSelfSignedCertWithKey "cn" IPS nil 1 (genPrivateKey "ecdsa") }}', {
    IPS: [
      '(list 1)',
      '(list "1.2.3")',
      '(list "1.2.3.04")',
      '(list "fe80::1%eth0")',
      '(list nil)',
      '"1.2.3.4"',
      '(list "")',
      '(until 2)',
      '(list "::1" 2.5)',
    ],
  }),
  ...combine('{{ genSelfSignedCertWithKey "cn" nil DNS 1 (genPrivateKey "ecdsa") }}', {
    DNS: [
      '(list 1)',
      '(list nil)',
      '(list (list))',
      '"a"',
      '(list "é")',
      '(splitList "," "a,b")',
      '.Values.map',
    ],
  }),
  '{{ genSelfSignedCertWithKey "cn" (list "x") (list 1) 1 (genPrivateKey "ecdsa") }}',
  '{{ genSelfSignedCertWithKey (b64dec "/w==") nil nil 1 (genPrivateKey "ecdsa") }}',
  '{{ genCA 1 1 }}',
  '{{ genCA "x" "1" }}',
  '{{ genCA "x" 1.5 }}',
  '{{ genCA "x" .Values.one }}',
  '{{ genCA "x" 1 2 }}',
  '{{ genCAWithKey "x" 3000000 (genPrivateKey "ecdsa") | typeOf }}',
  '{{ genSignedCert "cn" nil nil 1 "ca" }}',
  '{{ genSignedCert "cn" nil nil 1 nil }}',
  '{{ genSignedCert "cn" nil nil 1 .Values.map }}',
  ...combine('{{ genCAWithKey "cn" 1 K }}', { K: MALFORMED }),
  ...combine('{{ genSelfSignedCertWithKey "cn" nil nil 1 K }}', { K: MALFORMED }),
  ...combine('{{ genSignedCertWithKey "cn" nil nil 1 (genCAWithKey "a" 1 (genPrivateKey "ecdsa")) K }}', {
    K: MALFORMED.slice(0, 2),
  }),
  ...BAD_BYTES.map((key) => ({ template: `{{ genCAWithKey "cn" 1 ${key} }}`, errorStart: 150 + key.length })),
  ...combine('{{ buildCustomCert C K }}', {
    C: ['"!"', '"eA=="', '""', '(b64enc "-----BEGIN X-----\\n-----END X-----")'],
    K: ['"!"', '"eA=="'],
  }).filter((one) => !one.includes('BEGIN X') || one.includes('"!" }}')),
  {
    template: '{{ buildCustomCert (b64enc "-----BEGIN X-----\\nAAAA\\n-----END X-----\\n") "eA==" }}',
    errorStart: 220,
  },
  '{{ $a := genCAWithKey "a" 1 (genPrivateKey "ecdsa") }}{{ $b := genCAWithKey "b" 1 (genPrivateKey "ecdsa") }}{{ genSignedCert "x" nil nil 1 (buildCustomCert (b64enc $a.Cert) (b64enc $b.Key)) }}',
  '{{ $a := genCAWithKey "a" 1 (genPrivateKey "ecdsa") }}{{ buildCustomCert (b64enc $a.Cert) "eA==" }}',
  ...combine('{{ derivePassword N K P U S }}', {
    N: ['4294967295', '4294967297'],
    K: ['"long"'],
    P: ['"password"'],
    U: ['"user"'],
    S: ['"example.com"'],
  }),
  ...combine('{{ derivePassword 1 K P "user" S }}', {
    K: ['"maximum"', '"long"', '"medium"', '"short"', '"basic"', '"pin"'],
    P: ['"password"'],
    S: ['"example.com"'],
  }),
  '{{ derivePassword 1 "long" "päss" "üser" "exämple.com" }}',
  '{{ derivePassword 1 "nope" "p" "u" "s" }}',
  ...combine('{{ derivePassword N "long" "p" "u" "s" }}', {
    N: ['-1', '"1"', '1.5', '.Values.one', 'nil', '(int 1)', '1.0', '(add 1 1)', 'true'],
  }),
  '{{ derivePassword 1 "long" "p" "u" }}',
  ...combine('{{ regexMatch "^\\\\$2a\\\\$10\\\\$[./A-Za-z0-9]{53}$" (bcrypt P) }}', {
    P: ['""', '(repeat 36 "é")'],
  }),
  '{{ bcrypt (repeat 73 "a") }}|{{ bcrypt (repeat 37 "é") }}',
  '{{ regexMatch "^user:\\\\$2a\\\\$10\\\\$.{53}$" (htpasswd "user" "pw") }}|{{ htpasswd "a:b" "pw" }}|{{ htpasswd "a" (repeat 80 "x") }}',
  '{{ bcrypt 1 }}',
  '{{ htpasswd "a" }}',
  ...combine('{{ encryptAES P T | decryptAES P | quote }}', {
    P: ['"secret"', '""', '"0123456789012345678901234567890123456789"', '"é"'],
    T: ['"plain"', '""', '"sixteen bytes 16"', '(b64dec "/w==")', '"☃ snow"'],
  }),
  ...combine('{{ len (b64dec (encryptAES "k" T)) }}', { T: ['"a"', '"sixteen bytes 16"', '""'] }),
  ...combine('{{ decryptAES "k" T }}', {
    T: [
      '"!"',
      '"YQ=="',
      '"YWJjZGVmZ2hpamtsbW5v"',
      '"YWJjZGVmZ2hpamtsbW5vcA=="',
      '"YWJjZGVmZ2hpamtsbW5vcHE="',
      '"YWJjZGVmZ2hpamts\\nbW5v"',
      '"YWJj\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n"',
    ],
  }),
  '{{ decryptAES "secret" "30tEfhuJSVRhpG97XCuWgz2okj7L8vQ1s6V9zVUPeDQ=" }}',
  '{{ encryptAES "a" 1 }}',
];
