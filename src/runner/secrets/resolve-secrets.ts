import type { EgressRules } from '../../egress/egress-rules.js'
import { retry } from '../../lib/retry.js'
import type { JobVariable } from '../../protocol/job-payload.js'
import type { JobSecret, VaultSecret } from '../../protocol/job-secrets.js'
import { SecretError, UnsupportedSecretsError } from './errors.js'
import { Vault } from './vault.js'

export interface SecretsRequest {
  /** By name of the variable. */
  secrets: Readonly<Record<string, JobSecret>>
  /** Expands references to other variables of the job. */
  expand: (text: string) => string
  /** Total number of attempts for each secret. */
  attempts: number
  /** Milliseconds between two attempts. */
  retryDelay: number
  /** Rules for the addresses that jobs give. */
  egress: EgressRules
  signal: AbortSignal
  log: (line: string) => void
}

/**
 * Fetches the secrets of a job as masked variables that are not expanded (runner protocol, 2.14). Throws
 * `UnsupportedSecretsError` before anything is fetched, and `SecretError` for the first secret that cannot be
 * obtained.
 */
export async function resolveSecrets(request: SecretsRequest): Promise<JobVariable[]> {
  refuseOtherProviders(request.secrets)
  const vault = new Vault(request.signal, request.egress)
  try {
    const variables: JobVariable[] = []
    for (const [key, secret] of Object.entries(request.secrets)) {
      if (!secret.vault) continue
      request.log(`Resolving secret "${key}"...`)
      const value = await resolveOne(vault, secret.vault, request)
      variables.push({
        key,
        value,
        public: false,
        masked: true,
        raw: true,
        ...(secret.file !== false && { file: true }),
      })
    }
    return variables
  } finally {
    await vault.close()
  }
}

const SUPPORTED = 'vault'

function refuseOtherProviders(secrets: SecretsRequest['secrets']): void {
  for (const [name, secret] of Object.entries(secrets)) {
    if (secret.vault) continue
    const providers = Object.entries(secret).flatMap(([key, value]) =>
      key === 'file' || !value ? [] : [key],
    )
    throw new UnsupportedSecretsError(
      `The secret "${name}" is in ${providers.join(', ') || 'no provider'}, but this runner supports ` +
        `"${SUPPORTED}" only. Use that provider, or use id_tokens and fetch the secret in the script.`,
    )
  }
}

async function resolveOne(vault: Vault, secret: VaultSecret, request: SecretsRequest): Promise<string> {
  const location = expandLocation(secret, request.expand)
  request.log(`Using "vault" secret resolver...`)
  return retry(() => vault.read(location), {
    attempts: request.attempts,
    delay: request.retryDelay,
    maximumDelay: request.retryDelay,
    signal: request.signal,
    isWorthRetrying: (error) => error instanceof SecretError && error.isPassing,
  })
}

function expandLocation(
  { server, engine, path, field }: VaultSecret,
  expand: (text: string) => string,
): VaultSecret {
  const data = Object.entries(server.auth.data).map(([key, value]): [string, unknown] => [
    key,
    typeof value === 'string' ? expand(value) : value,
  ])
  return {
    server: {
      url: expand(server.url),
      ...(server.namespace && { namespace: expand(server.namespace) }),
      auth: {
        name: expand(server.auth.name),
        path: expand(server.auth.path),
        data: Object.fromEntries(data),
      },
    },
    engine: { name: expand(engine.name), path: expand(engine.path) },
    path: expand(path),
    field: expand(field),
  }
}
