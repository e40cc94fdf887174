import { isRecord } from '../../lib/is-record.js'
import type { JobPayload, JobVariable } from '../../protocol/job-payload.js'
import { expandVariables } from './job-variables.js'

/**
 * The values that must never appear in a log: masked variables (as written and as jobs see them), the tokens of the
 * payload, and the passwords of registries from any source.
 */
export function secretsOf(payload: JobPayload, configured: readonly JobVariable[] = []): string[] {
  const variables = [...configured, ...payload.variables]
  const ofServices = (payload.services ?? []).flatMap((service) => service.variables ?? [])
  const written = [...variables, ...ofServices].filter(isMasked)
  const seen = expandVariables(variables).filter(isMasked)
  const dependencies = (payload.dependencies ?? []).map((dependency) => dependency.token)
  const registries = (payload.credentials ?? []).map((credentials) => credentials.password)
  return [
    payload.token,
    ...[...written, ...seen].map(({ value }) => value),
    ...dependencies,
    ...registries,
    ...registrySecretsOf(variables),
  ]
}

function isMasked({ masked }: JobVariable): boolean {
  return masked === true
}

const SECRET_KEYS = ['auth', 'password', 'identitytoken', 'registrytoken']

/** Passwords in `DOCKER_AUTH_CONFIG` (runner protocol, 7.6), in plain form and in the form that it contains. */
export function registrySecretsOf(variables: readonly JobVariable[]): string[] {
  return variables
    .filter(({ key }) => key === 'DOCKER_AUTH_CONFIG')
    .flatMap(({ value }) => entriesOf(value))
    .flatMap((entry) => SECRET_KEYS.flatMap((key) => secretsIn(key, entry[key])))
}

function entriesOf(text: string): Record<string, unknown>[] {
  try {
    const config: unknown = JSON.parse(text)
    return [config, ...membersOf(config)].flatMap((value) => membersOf(value)).filter(isRecord)
  } catch {
    return [] // the executor reports what is wrong with it
  }
}

function secretsIn(key: string, value: unknown): string[] {
  if (typeof value !== 'string' || value === '') return []
  if (key !== 'auth') return [value]
  const [, password = ''] = /^[^:]*:([^]*)$/.exec(Buffer.from(value, 'base64').toString('utf8')) ?? []
  return password === '' ? [value] : [value, password]
}

function membersOf(value: unknown): unknown[] {
  return isRecord(value) ? Object.values(value) : []
}
