import type { EgressRules } from '../../egress/egress-rules.js'
import { retry } from '../../lib/retry.js'
import type { JobVariable } from '../../protocol/job-payload.js'
import type { JobSecret, VaultSecret } from '../../protocol/job-secrets.js'
import { SecretError } from './errors.js'
import { Vault } from './vault.js'

export interface SecretsRequest {
  /** By the name of the variable. */
  secrets: Readonly<Record<string, JobSecret>>
  /** Replaces references to the job's other variables. */
  expand: (text: string) => string
  /** Tries in all, of each secret. */
  attempts: number
  /** Milliseconds between two tries. */
  retryDelay: number
  /** Of the addresses that jobs give. */
  egress: EgressRules
  signal: AbortSignal
  say: (line: string) => void
}

/**
 * Fetches the secrets of a job: masked variables that stand for nothing but themselves (runner protocol, 2.14). Throws
 * `SecretError` for the first that cannot be had.
 */
export async function resolveSecrets(request: SecretsRequest): Promise<JobVariable[]> {
  const vault = new Vault(request.signal, request.egress)
  try {
    const variables: JobVariable[] = []
    for (const [key, secret] of Object.entries(request.secrets)) {
      request.say(`Resolving secret "${key}"...`)
      const value = await resolveOne(vault, key, secret, request)
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

async function resolveOne(
  vault: Vault,
  name: string,
  secret: JobSecret,
  request: SecretsRequest,
): Promise<string> {
  if (!secret.vault) {
    const providers = Object.keys(secret).filter((key) => key !== 'file')
    throw new SecretError(
      `The secret ${name} is in ${providers.join(', ') || 'no provider'}; this runner reads secrets of "vault" only`,
      false,
    )
  }
  const place = expandPlace(secret.vault, request.expand)
  request.say(`Using "vault" secret resolver...`)
  return retry(() => vault.read(place), {
    attempts: request.attempts,
    delay: request.retryDelay,
    maximumDelay: request.retryDelay,
    signal: request.signal,
    isWorthRetrying: (error) => error instanceof SecretError && error.isPassing,
  })
}

function expandPlace(
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
