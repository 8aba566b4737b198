/** An error of go-yaml; its own message, after `yaml: `. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
}
