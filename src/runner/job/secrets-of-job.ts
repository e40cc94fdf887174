import type { JobPayload, JobVariable } from '../../protocol/job-payload.js'
import { expandVariables } from './expand.js'

/** Holds what `docker login` keeps, in the payload or in the settings of the runner (runner protocol, 7.5). */
const DOCKER_AUTH_CONFIG = 'DOCKER_AUTH_CONFIG'

/**
 * The values that must never be seen in a trace: masked variables as they are written and as jobs see them, the tokens
 * of the payload, and the passwords of registries, wherever they come from.
 */
export function secretsOf(payload: JobPayload, configured: readonly JobVariable[] = []): string[] {
  const variables = [...configured, ...payload.variables]
  const ofServices = (payload.services ?? []).flatMap((service) => service.variables ?? [])
  const written = [...variables, ...ofServices].filter(isMasked)
  const seen = expandVariables(variables).filter(isMasked)
  const dependencies = (payload.dependencies ?? []).map((dependency) => dependency.token)
  const registries = (payload.credentials ?? []).map((credentials) => credentials.password)
  const logins = variables.filter(({ key }) => key === DOCKER_AUTH_CONFIG)
  return [
    payload.token,
    ...[...written, ...seen].map(({ value }) => value),
    ...dependencies,
    ...registries,
    ...logins.flatMap(({ value }) => registryPasswords(value)),
  ]
}

function isMasked({ masked }: JobVariable): boolean {
  return masked === true
}

/** Of `{"auths": {"registry": {"auth": base64 of "user:password"}}}`; none for a text that is something else. */
export function registryPasswords(text: string): string[] {
  const auths = field(parseOrNothing(text), 'auths')
  if (typeof auths !== 'object' || auths === null) return []
  return Object.values(auths).flatMap((login: unknown) => {
    const auth = field(login, 'auth')
    const decoded = typeof auth === 'string' ? Buffer.from(auth, 'base64').toString() : ''
    const password = decoded.slice(decoded.indexOf(':') + 1)
    return [password, field(login, 'password'), field(login, 'identitytoken')].filter(
      (secret) => typeof secret === 'string',
    )
  })
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** What reads the credentials for a pull is who says that they are malformed. */
function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
