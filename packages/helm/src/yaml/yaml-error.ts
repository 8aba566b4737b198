/** What go-yaml answers to a text that it does not read; the message is its own, after `yaml: `. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
}
