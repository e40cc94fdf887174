import type { JobPayload, JobVariable } from '../../protocol/job-payload.js'
import {
  RUNNER_ARCHITECTURE,
  RUNNER_PLATFORM,
  RUNNER_REVISION,
  RUNNER_VERSION,
} from '../client/runner-info.js'
import { shortToken } from '../client/short-token.js'
import type { JobPlace } from '../workspace/workspace.js'

interface VariableSources {
  payload: JobPayload
  place: JobPlace
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
      ? { ...variable, value: `${sources.place.temporaryDir}/${variable.key}`, raw: true }
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
    own('CI_BUILDS_DIR', sources.place.buildsDir),
    own('CI_PROJECT_DIR', sources.place.projectDir),
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
    own('RUNNER_TEMP_PROJECT_DIR', sources.place.temporaryDir),
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
export function expandVariables(variables: readonly JobVariable[]): JobVariable[] {
  const values = valuesOf(variables)
  return variables.map((variable) =>
    variable.raw || variable.file ? variable : { ...variable, value: expandText(variable.value, values) },
  )
}
