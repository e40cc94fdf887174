import { SwitchyardError } from '../../../../lib/errors.js'
import { isRecord } from '../../../../lib/is-record.js'
import type { JobVariable } from '../../../../protocol/job-payload.js'
import type { JobSecret } from '../../../../protocol/job-secrets.js'
import { akeylessSecret, awsSecret, azureSecret, gcpSecret } from './cloud-secrets.js'
import type { PayloadFacts } from './payload-facts.js'
import { type SecretFacts, textOrUndefined } from './secret-facts.js'
import { vaultSecret } from './vault-secret.js'

/** The job uses a secrets provider whose settings are missing. */
export class SecretsProviderMissingError extends SwitchyardError {
  readonly name = 'SecretsProviderMissingError'
  readonly code = 'SECRETS_PROVIDER_MISSING'
}

type Provider = Exclude<keyof JobSecret, 'file'>

const PROVIDERS: Readonly<Record<Provider, (facts: SecretFacts) => JobSecret>> = {
  vault: (facts) => ({ vault: vaultSecret(facts) }),
  azure_key_vault: (facts) => ({ azure_key_vault: azureSecret(facts) }),
  gcp_secret_manager: (facts) => ({ gcp_secret_manager: gcpSecret(facts) }),
  aws_secrets_manager: (facts) => ({ aws_secrets_manager: awsSecret(facts) }),
  akeyless: (facts) => ({ akeyless: akeylessSecret(facts) }),
}

/**
 * Where the runner reads the secrets of a job (CI language, 3.17; runner protocol, 2.14). Variables of the
 * job define the server of a provider and how to authenticate there. Undefined for a job without secrets.
 * Throws `SecretsProviderMissingError`.
 */
export function jobSecrets(
  { options }: Pick<PayloadFacts['job'], 'options'>,
  variables: readonly JobVariable[],
): Record<string, JobSecret> | undefined {
  if (!options.secrets) return undefined
  const values = new Map(variables.map(({ key, value }) => [key, value]))
  const tokens = Object.keys(options.idTokens ?? {})
  const secrets = Object.entries(options.secrets).map(([name, secret]): [string, JobSecret] => {
    const written = isRecord(secret) ? secret : {}
    return [name, { file: written.file !== false, ...ofProvider(name, written, values, tokens) }]
  })
  return Object.fromEntries(secrets)
}

function ofProvider(
  name: string,
  secret: Readonly<Record<string, unknown>>,
  values: ReadonlyMap<string, string>,
  tokens: readonly string[],
): JobSecret {
  const provider = (Object.keys(PROVIDERS) as Provider[]).find((key) => secret[key] !== undefined)
  if (!provider) {
    const written = Object.keys(secret).find((key) => key !== 'file' && key !== 'token') ?? 'no provider'
    throw new SecretsProviderMissingError(
      `The secret "${name}" uses ${written}, which this server does not support: use another provider.`,
    )
  }
  const given = secret[provider]
  const variable = (key: string): string | undefined => values.get(key) || undefined
  return PROVIDERS[provider]({
    written: isRecord(given) ? given : { text: given },
    jwt: textOrUndefined(secret.token) ?? (tokens[0] === undefined ? undefined : `$${tokens[0]}`),
    variable,
    required: (key) => variable(key) ?? refuse(name, provider, key),
  })
}

function refuse(name: string, provider: string, key: string): never {
  throw new SecretsProviderMissingError(
    `The secret "${name}" uses ${provider}, which requires the CI variable ${key}: add it to the project or its group.`,
  )
}
