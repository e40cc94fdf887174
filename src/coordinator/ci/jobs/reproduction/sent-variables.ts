import type { ContextVariable } from '../../../../ci-config/context-variable.js'
import { expandForRunner } from '../../../../ci-config/variables/runner-list.js'
import type { JobVariable } from '../../../../protocol/job-payload.js'
import { writtenVariables } from '../payload/job-variables.js'
import type { PayloadFacts } from '../payload/payload-facts.js'
import type { WithheldReason, WithheldVariable } from './schema.js'

/** Predefined variables, and such that tools read, that contain credentials. */
const CREDENTIALS = new Set([
  'CI_JOB_TOKEN',
  'CI_REPOSITORY_URL',
  'CI_TRIGGER_SHORT_TOKEN',
  'DOCKER_AUTH_CONFIG',
])
/** A shorter value says nothing, and many other values would contain it. */
const MIN_SECRET_LENGTH = 8

interface SentVariables {
  variables: JobVariable[]
  withheld: WithheldVariable[]
}

/**
 * Divides the variables of a job into those that may leave the server and those whose names alone may. Secrets are taken
 * away before references are replaced, so that none gets into another value. A value that contains a secret nevertheless,
 * as it is or encoded, is withheld too.
 *
 * `facts`: without protected variables. `protectedOnes`: those. `mayRunJobs`: whether the caller could print the other
 * variables of settings and pipelines by a job.
 */
export function sentVariables(
  facts: PayloadFacts,
  protectedOnes: readonly ContextVariable[],
  mayRunJobs: boolean,
): SentVariables {
  const written = writtenVariables(facts)
  const protectedKeys = new Set(protectedOnes.map(({ key }) => key))
  const restricted = new Set([
    ...facts.settingsVariables,
    ...facts.pipelineVariables,
    ...facts.playedVariables,
    ...facts.dotenvVariables,
  ])
  const reasonFor = (variable: JobVariable): WithheldReason | undefined =>
    secretReason(variable, protectedKeys) ??
    (!mayRunJobs && (restricted.has(variable) || isOfMergeRequest(variable)) ? 'role' : undefined)

  const withheld = new Map<string, WithheldVariable>()
  for (const { key, file } of protectedOnes)
    withheld.set(key, { key, reason: 'protected', file: file ?? false })
  // The last one of a name counts. Of a name that is withheld, none is sent, which would be another value.
  for (const variable of lastOfEachName(written)) {
    const { key, file = false } = variable
    const reason = reasonFor(variable)
    if (reason !== undefined) withheld.set(key, { key, reason, file })
  }
  const sent = written.filter((variable) => !withheld.has(variable.key) && reasonFor(variable) === undefined)
  const secrets = [...protectedOnes, ...written.filter((one) => secretReason(one, protectedKeys))]
  const containsSecret = secretFinder(secrets.map(({ value }) => value))
  const variables = lastOfEachName(expandForRunner(sent)).filter(({ key, value }) => {
    if (!containsSecret(value)) return true
    withheld.set(key, { key, reason: 'contains_secret', file: false })
    return false
  })
  return { variables, withheld: [...withheld.values()] }
}

function secretReason(
  { key, masked, file }: JobVariable,
  protectedKeys: ReadonlySet<string>,
): WithheldReason | undefined {
  if (CREDENTIALS.has(key)) return 'credentials'
  if (masked) return 'masked'
  if (protectedKeys.has(key)) return 'protected'
  if (file) return 'file'
  return key === 'GITLAB_USER_EMAIL' ? 'personal' : undefined
}

/** Who may read jobs may not always read merge requests. */
function isOfMergeRequest({ key }: JobVariable): boolean {
  return key.startsWith('CI_MERGE_REQUEST_') || key === 'CI_OPEN_MERGE_REQUESTS'
}

function lastOfEachName(variables: readonly JobVariable[]): JobVariable[] {
  return [...new Map(variables.map((variable) => [variable.key, variable])).values()]
}

function secretFinder(secrets: readonly string[]): (text: string) => boolean {
  const forms = [...new Set(secrets)].filter(({ length }) => length >= MIN_SECRET_LENGTH).flatMap(formsOf)
  return (text) => forms.some((form) => text.includes(form))
}

/** A secret as other texts may contain it. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  // The last characters depend on what follows.
  const base64 = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    return encoded.slice(Math.ceil((before * 4) / 3), -1)
  })
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ]
}
