import { isRecord } from '../../../../lib/is-record.js'
import type { VaultSecret } from '../../../../protocol/job-secrets.js'
import { type SecretFacts, textOrUndefined } from './secret-facts.js'

const DEFAULT_ENGINE = { name: 'kv-v2', path: 'kv-v2' }
const DEFAULT_AUTH_PATH = 'jwt'

/**
 * A secret in HashiCorp Vault. Server and login come from `VAULT_SERVER_URL` and, optionally,
 * `VAULT_AUTH_PATH`, `VAULT_AUTH_ROLE` and `VAULT_NAMESPACE`. Throws `SecretsProviderMissingError`.
 */
export function vaultSecret(facts: SecretFacts): VaultSecret {
  return { server: server(facts), ...place(facts.written) }
}

function server({ jwt = '$', variable, required }: SecretFacts): VaultSecret['server'] {
  const namespace = variable('VAULT_NAMESPACE')
  const role = variable('VAULT_AUTH_ROLE')
  return {
    url: required('VAULT_SERVER_URL'),
    ...(namespace && { namespace }),
    auth: {
      name: 'jwt',
      path: variable('VAULT_AUTH_PATH') ?? DEFAULT_AUTH_PATH,
      data: { jwt, ...(role && { role }) },
    },
  }
}

/** The value is `path/field@engine` or a map; the compiler has validated it. */
function place(written: SecretFacts['written']): Omit<VaultSecret, 'server'> {
  const text = textOrUndefined(written.text)
  if (text !== undefined) return placeFromText(text)
  const engine = isRecord(written.engine) ? written.engine : {}
  return {
    engine: {
      name: textOrUndefined(engine.name) ?? DEFAULT_ENGINE.name,
      path: textOrUndefined(engine.path) ?? DEFAULT_ENGINE.path,
    },
    path: textOrUndefined(written.path) ?? '',
    field: textOrUndefined(written.field) ?? '',
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
