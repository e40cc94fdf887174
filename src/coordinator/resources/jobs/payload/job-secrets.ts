import { SwitchyardError } from '../../../../lib/errors.js'
import { isRecord } from '../../../../lib/is-record.js'
import type { JobVariable } from '../../../../protocol/job-payload.js'
import type { JobSecret, VaultSecret } from '../../../../protocol/job-secrets.js'
import type { PayloadFacts } from './payload-facts.js'

const DEFAULT_ENGINE = { name: 'kv-v2', path: 'kv-v2' }
const DEFAULT_AUTH_PATH = 'jwt'

/** The job wants secrets, and no variable says which server has them. */
export class SecretsProviderMissingError extends SwitchyardError {
  readonly name = 'SecretsProviderMissingError'
  readonly code = 'SECRETS_PROVIDER_MISSING'

  constructor() {
    super('The job has secrets of Vault; the variable VAULT_SERVER_URL has to hold the address of the server')
  }
}

/**
 * Where the runner finds the secrets of a job (CI language, 3.17; runner protocol, 2.14). The server and the way to log
 * in there are in variables: `VAULT_SERVER_URL`, and maybe `VAULT_AUTH_PATH`, `VAULT_AUTH_ROLE`, `VAULT_NAMESPACE`.
 * Undefined for a job without secrets. Throws `SecretsProviderMissingError`.
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
    const jwt = textOf(written.token) ?? `$${tokens[0] ?? ''}`
    return [
      name,
      {
        file: written.file !== false,
        vault: { server: vaultServer(values, jwt), ...vaultPlace(written.vault) },
      },
    ]
  })
  return Object.fromEntries(secrets)
}

/** `jwt` may be a reference to a variable, which the runner replaces. */
function vaultServer(values: ReadonlyMap<string, string>, jwt: string): VaultSecret['server'] {
  const url = values.get('VAULT_SERVER_URL')
  if (!url) throw new SecretsProviderMissingError()
  const namespace = values.get('VAULT_NAMESPACE')
  const role = values.get('VAULT_AUTH_ROLE')
  return {
    url,
    ...(namespace && { namespace }),
    auth: {
      name: 'jwt',
      path: values.get('VAULT_AUTH_PATH') || DEFAULT_AUTH_PATH,
      data: { jwt, ...(role && { role }) },
    },
  }
}

/** Written as `path/field@engine` or as a map; checked by the compiler. */
function vaultPlace(written: unknown): Omit<VaultSecret, 'server'> {
  if (!isRecord(written)) return placeFromText(textOf(written) ?? '')
  const engine = isRecord(written.engine) ? written.engine : {}
  return {
    engine: {
      name: textOf(engine.name) ?? DEFAULT_ENGINE.name,
      path: textOf(engine.path) ?? DEFAULT_ENGINE.path,
    },
    path: textOf(written.path) ?? '',
    field: textOf(written.field) ?? '',
  }
}

function placeFromText(text: string): Omit<VaultSecret, 'server'> {
  const [place = '', enginePath = DEFAULT_ENGINE.path] = text.split('@', 2)
  const slash = place.lastIndexOf('/')
  return {
    engine: { name: DEFAULT_ENGINE.name, path: enginePath },
    path: place.slice(0, Math.max(0, slash)),
    field: place.slice(slash + 1),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
