import { parseDuration } from '../../lib/duration.js'
import { isRecord } from '../../lib/is-record.js'
import type { JobPayload, JobVariable } from '../../protocol/job-payload.js'
import {
  RUNNER_ARCHITECTURE,
  RUNNER_PLATFORM,
  RUNNER_REVISION,
  RUNNER_VERSION,
  shortToken,
} from '../client/runner-info.js'
import type { JobPaths } from '../workspace/workspace.js'

interface VariableSources {
  payload: JobPayload
  paths: JobPaths
  /** `[[runners]] environment`. */
  configured: readonly JobVariable[]
  runnerToken: string
  concurrentId: number
  concurrentProjectId: number
  timeoutSeconds: number
}

/**
 * The variables of a job, ready to use. File variables contain their path. `files` has the content for these paths.
 */
export interface JobVariables {
  /** In the order in which they are exported. Names may repeat, and the last value counts. */
  list: readonly JobVariable[]
  files: readonly { name: string; content: string }[]
  get(name: string): string | undefined
  values: ReadonlyMap<string, string>
}

/**
 * All variables of a job, expanded once (runner protocol, 10.3). From low to high precedence: the runner's
 * defaults, those of the payload, and those that the runner sets (runner protocol, 10.2).
 */
export function collectVariables(sources: VariableSources): JobVariables {
  const all = [...variablesBelow(sources), ...sources.payload.variables, ...variablesAbove(sources)]
  const files = all.filter(isFile).map(({ key, value }) => ({ name: key, content: value }))
  const placed = all.map((variable) =>
    isFile(variable)
      ? { ...variable, value: `${sources.paths.temporaryDir}/${variable.key}`, raw: true }
      : variable,
  )
  const list = expandVariables(placed)
  const values = valuesOf(list)
  return { list, files, values, get: (name) => values.get(name) }
}

/** The name of a file variable becomes part of a path, so only plain names are allowed. */
function isFile(variable: JobVariable): boolean {
  return variable.file === true && /^[A-Za-z_][\w.-]*$/.test(variable.key)
}

function variablesBelow(sources: VariableSources): JobVariable[] {
  const image = sources.payload.image?.name
  return [
    ...(image ? [own('CI_JOB_IMAGE', image)] : []),
    own('CI_RUNNER_SHORT_TOKEN', shortToken(sources.runnerToken)),
    ...sources.configured,
    own('CI_BUILDS_DIR', sources.paths.buildsDir),
    own('CI_PROJECT_DIR', sources.paths.projectDir),
    own('CI_CONCURRENT_ID', String(sources.concurrentId)),
    own('CI_CONCURRENT_PROJECT_ID', String(sources.concurrentProjectId)),
    own('CI_SERVER', 'yes'),
    own('CI_JOB_STATUS', 'running'),
    own('CI_JOB_TIMEOUT', String(sources.timeoutSeconds)),
  ]
}

function variablesAbove(sources: VariableSources): JobVariable[] {
  return [
    own('CI_DISPOSABLE_ENVIRONMENT', 'true'),
    own('CI_RUNNER_VERSION', RUNNER_VERSION),
    own('CI_RUNNER_REVISION', RUNNER_REVISION),
    own('CI_RUNNER_EXECUTABLE_ARCH', `${RUNNER_PLATFORM}/${RUNNER_ARCHITECTURE}`),
    own('RUNNER_TEMP_PROJECT_DIR', sources.paths.temporaryDir),
  ]
}

function own(key: string, value: string): JobVariable {
  return { key, value, public: true }
}

/**
 * Replaces `$NAME` and `${NAME}` by the unexpanded value of the last variable with that name. Unknown names become
 * empty, and `$$` becomes a dollar sign (runner protocol, 10.3).
 */
export function expandText(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(
    /\$(?:\$|\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*)|([*#@!?\-0-9]))/g,
    (match, braced: string | undefined, plain: string | undefined) => {
      if (match === '$$') return '$'
      return values.get(braced ?? plain ?? '') ?? ''
    },
  )
}

/** The values for references. The last variable of a name wins. */
export function valuesOf(variables: readonly JobVariable[]): Map<string, string> {
  return new Map(variables.map(({ key, value }) => [key, value]))
}

/** Expands all variables in one pass. A reference yields the unexpanded value of the other variable. */
function expandVariables(variables: readonly JobVariable[]): JobVariable[] {
  const values = valuesOf(variables)
  return variables.map((variable) =>
    variable.raw || variable.file ? variable : { ...variable, value: expandText(variable.value, values) },
  )
}

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

type Values = ReadonlyMap<string, string>
type Warn = (text: string) => void

/**
 * Parses `1 t T TRUE true True` and the like. Any other text gives the default and a warning (runner protocol,
 * 10.3).
 */
export function booleanSetting(values: Values, name: string, otherwise: boolean, warn: Warn): boolean {
  const text = values.get(name) ?? ''
  if (text === '') return otherwise
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false
  warn(`${name}: "${text}" is not a boolean, using ${otherwise}`)
  return otherwise
}

/** Number of attempts for a stage: 1 to 10 (runner protocol, 7.1). */
export function attemptsSetting(values: Values, name: string, warn: Warn): number {
  const text = values.get(name) ?? ''
  if (text === '') return 1
  const attempts = Number(text)
  if (Number.isInteger(attempts) && attempts >= 1 && attempts <= 10) return attempts
  const clamped = Number.isInteger(attempts) ? Math.min(Math.max(attempts, 1), 10) : 1
  warn(`${name}: "${text}" is not a number from 1 to 10, using ${clamped}`)
  return clamped
}

/**
 * Seconds of a duration variable. A malformed value, or one longer than the job may take, is ignored with a warning
 * (runner protocol, 6.2).
 */
export function durationSetting(
  values: Values,
  name: string,
  limitSeconds: number,
  warn: Warn,
): number | undefined {
  const text = values.get(name) ?? ''
  if (text === '') return undefined
  const seconds = parseDuration(text)
  if (seconds === undefined) {
    warn(`${name}: "${text}" is not a duration such as 30m and is ignored`)
    return undefined
  }
  if (seconds > limitSeconds) warn(`${name}: ${text} is longer than the timeout of the job, which applies`)
  return seconds === 0 ? undefined : Math.min(seconds, limitSeconds)
}

export function choiceSetting<T extends string>(
  values: Values,
  name: string,
  choices: readonly T[],
  otherwise: T,
  warn: Warn,
): T {
  const text = values.get(name) ?? ''
  if (text === '') return otherwise
  const choice = choices.find((candidate) => candidate === text)
  if (choice === undefined) warn(`${name}: "${text}" is not one of ${choices.join(', ')}, using ${otherwise}`)
  return choice ?? otherwise
}
