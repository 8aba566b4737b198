// What the SDK of the Model Context Protocol takes from its surroundings, for Node: with its smaller validator of JSON
// Schema. The other one is 120 KB in the program, which checks its own schemas with zod and never asks for it.
export { default as process } from 'node:process';
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
