/** The differences in the output of two go-yaml versions. */
export interface YamlDialect {
  /** Fold lines at the first space after this many columns. */
  readonly foldWidth: number;
  /** Indent a sequence deeper than its key. */
  readonly indentsSequences: boolean;
  /** Allow unescaped tabs in block scalars. */
  readonly takesTabs: boolean;
  /** After equal digits, sort keys that continue with a letter before those with more digits. */
  readonly lettersEndNumbers: boolean;
  /** Write values directly, not through JSON: integral floats get an exponent, bytes that are not text a tag. */
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
