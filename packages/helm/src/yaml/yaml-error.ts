/** What go-yaml answers to a text that it does not read; the message is its own, with `yaml: ` in front. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
}
