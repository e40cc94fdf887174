/** Why keys of the language are refused, and what does the same here. */
export const UNSUPPORTED = {
  identity:
    'this server is no identity provider of Google Cloud. Write id_tokens, and let the script exchange the token there.',
  dast_configuration:
    'this server keeps no profiles of sites and scanners. Give the scanner its settings as variables of the job.',
} as const

/** The same for the stores of secrets that the runner cannot read. */
export const UNSUPPORTED_PROVIDER =
  'the runner fetches secrets from Vault alone. Use secrets:vault, or id_tokens and the tool of the provider in the script.'
