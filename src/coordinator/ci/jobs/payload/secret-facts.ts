/** What an entry of `secrets` and the variables of its job say about the provider. */
export interface SecretFacts {
  /** The map under the name of the provider; a text there is the value of the key `text`. */
  written: Readonly<Record<string, unknown>>
  /** The token that the runner signs in with: usually a reference to a variable. Undefined when the job has none. */
  jwt: string | undefined
  /** The value of a variable of the job; undefined when it is not set or empty. */
  variable(key: string): string | undefined
  /** As `variable`. Throws `SecretsProviderMissingError` for one that is not set. */
  required(key: string): string
}

/** Undefined for what is no text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
