import { X509Certificate } from 'node:crypto';
import type { Subject } from './issue.ts';

/** The common name of all agents, which the API does not have. */
export const AGENT_NAME = 'logtool-agent';

/** Returns what the certificate of a node's agent names: the agent of this node, and of no other. */
export function agentSubject(node: string): Subject {
  return { commonName: AGENT_NAME, dnsNames: [dnsNameOf(node)] };
}

/** Whether a certificate (DER), which a connection proved, is that of the agent of a node. */
export function isOfAgent(node: string, certificate: Buffer): boolean {
  const leaf = new X509Certificate(certificate);
  // Neither a wildcard nor a common name stands for a node.
  return leaf.checkHost(dnsNameOf(node), { subject: 'never', wildcards: false }) !== undefined;
}

const dnsNameOf = (node: string) => `${node}.${AGENT_NAME}`;
