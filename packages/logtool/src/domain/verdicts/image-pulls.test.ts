import { expect, test } from 'vitest';
import { registryAnswer } from './image-pulls.ts';

test.each([
  [
    'Back-off pulling image "web:v43": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "web:v43": failed to resolve reference "web:v43": web:v43: not found',
    'web:v43: not found',
  ],
  ['Failed to pull image "web:v43": dial tcp: no such host', 'dial tcp: no such host'],
  ['Back-off pulling image "web:v43"', ''],
  [
    'couldn\'t parse image name "web::": invalid reference format',
    'couldn\'t parse image name "web::": invalid reference format',
  ],
])('%s', (message, answer) => {
  expect(registryAnswer(message)).toBe(answer);
});
