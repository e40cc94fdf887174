import { isRecord } from '../../lib/is-record.js'
import type { JobVariable } from '../../protocol/job-payload.js'

const SECRET_KEYS = ['auth', 'password', 'identitytoken', 'registrytoken']

/** Passwords in `DOCKER_AUTH_CONFIG` (runner protocol, 7.6), alone and in the form that stands there. */
export function registrySecretsOf(variables: readonly JobVariable[]): string[] {
  return variables
    .filter(({ key }) => key === 'DOCKER_AUTH_CONFIG')
    .flatMap(({ value }) => entriesOf(value))
    .flatMap((entry) => SECRET_KEYS.flatMap((key) => secretsIn(key, entry[key])))
}

function entriesOf(text: string): Record<string, unknown>[] {
  try {
    const config: unknown = JSON.parse(text)
    return [config, ...valuesOf(config)].flatMap((value) => valuesOf(value)).filter(isRecord)
  } catch {
    return [] // the executor says what is wrong with it
  }
}

function secretsIn(key: string, value: unknown): string[] {
  if (typeof value !== 'string' || value === '') return []
  if (key !== 'auth') return [value]
  const [, password = ''] = /^[^:]*:([^]*)$/.exec(Buffer.from(value, 'base64').toString('utf8')) ?? []
  return password === '' ? [value] : [value, password]
}

function valuesOf(value: unknown): unknown[] {
  return isRecord(value) ? Object.values(value) : []
}
