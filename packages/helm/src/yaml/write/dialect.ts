/** What two versions of go-yaml write differently. */
export interface YamlDialect {
  /** Lines are folded at the first space after this many columns. */
  readonly foldWidth: number;
  /** A sequence under a key is indented deeper than the key. */
  readonly indentsSequences: boolean;
  /** A tab may appear unescaped in a block scalar. */
  readonly takesTabs: boolean;
  /** After the same digits, keys with a letter come before those with more digits. */
  readonly lettersEndNumbers: boolean;
  /**
   * Values come directly, not by way of JSON: integers in floats have an exponent, bytes that are no text a
   * tag.
   */
  readonly isDirect: boolean;
}

/** Go-yaml 2, which `toYaml` uses. */
export const GO_YAML_2: YamlDialect = {
  foldWidth: 80,
  indentsSequences: false,
  takesTabs: false,
  lettersEndNumbers: false,
  isDirect: false,
};

/** Go-yaml 3 with an indentation of two, which `toYamlPretty` uses. */
export const GO_YAML_3: YamlDialect = {
  foldWidth: Number.POSITIVE_INFINITY,
  indentsSequences: true,
  takesTabs: true,
  lettersEndNumbers: true,
  isDirect: true,
};
