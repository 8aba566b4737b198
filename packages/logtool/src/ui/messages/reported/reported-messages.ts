import { KUBE_MESSAGES } from './kube.ts';
import { SERVER_MESSAGES } from './server.ts';

/** The messages of errors that the server reports, of itself and of the cluster. Loaded with the first of them. */
export const REPORTED_MESSAGES = { ...KUBE_MESSAGES, ...SERVER_MESSAGES };
