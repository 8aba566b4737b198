import { z } from 'zod';
import { duration, name } from './container-schema.ts';

/** When the network plugin of nodes fails, so that pods there get no sandbox. */
export const networkFault = z.strictObject({
  node: name.optional().describe('default: all nodes'),
  text: z
    .string()
    .default(
      'plugin type="flannel" failed (add): loadFlannelSubnetEnv failed: open /run/flannel/subnet.env: no such file or directory',
    )
    .describe("the plugin's own words"),
  from: duration.optional().describe('offset from the start of serving'),
  until: duration.optional(),
});
