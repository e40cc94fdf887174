import type { JobPayload, JobVariable } from '../../protocol/job-payload.js'
import { expandVariables } from './expand.js'
import { registrySecretsOf } from './registry-secrets.js'

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
