// Runs the conformance suite against any cluster: npm run test:cluster -- --kubeconfig FILE
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    image: { type: 'string', default: 'busybox:stable' },
    'image-pull-policy': { type: 'string' },
    'host-network': { type: 'boolean', default: false },
    'node-selector': { type: 'string' },
  },
});
if (values.kubeconfig === undefined) {
  console.error(
    'test:cluster needs --kubeconfig FILE: the cluster to test. It makes a namespace and removes it.',
  );
  process.exit(2);
}
const set = (name, value) => (value === undefined ? {} : { [`LOGTOOL_TEST_${name}`]: value });
const { status } = spawnSync('npx', ['vitest', 'run', 'test/conformance/client', 'test/conformance/logs'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    ...set('KUBECONFIG', resolve(values.kubeconfig)),
    ...set('IMAGE', values.image),
    ...set('IMAGE_PULL_POLICY', values['image-pull-policy']),
    ...set('HOST_NETWORK', values['host-network'] ? '1' : '0'),
    ...set('NODE_SELECTOR', values['node-selector']),
  },
});
process.exitCode = status ?? 1;
