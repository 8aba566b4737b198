// What the SDK of the Model Context Protocol expects from its environment, for Node, with the SDK's smaller
// validator of JSON Schema. The other validator adds 120 KB to the program, which checks its own schemas with
// zod and never uses it.
export { default as process } from 'node:process';
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
