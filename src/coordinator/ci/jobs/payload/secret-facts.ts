/** The provider settings in an entry of `secrets` and the variables of its job. */
export interface SecretFacts {
  /** The map under the provider's key; a plain text becomes the value of the key `text`. */
  written: Readonly<Record<string, unknown>>
  /**
   * The token with which the runner authenticates: usually a variable reference. Undefined if the job has
   * none.
   */
  jwt: string | undefined
  /** The value of a job variable; undefined if it is not set or empty. */
  variable(key: string): string | undefined
  /** Like `variable`. Throws `SecretsProviderMissingError` if the variable is not set. */
  required(key: string): string
}

/** Undefined for values that are not text. */
export function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
