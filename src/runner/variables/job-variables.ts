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

/** A job's variables, ready to use. File variables hold their path; `files` is what belongs at those paths. */
export interface JobVariables {
  /** In the order in which they are exported; names may repeat, the last one counts. */
  list: readonly JobVariable[]
  files: readonly { name: string; content: string }[]
  get(name: string): string | undefined
  values: ReadonlyMap<string, string>
}

/**
 * All variables of a job: ours below, the payload's, ours above (runner protocol, 10.2), expanded once (runner
 * protocol, 10.3).
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

/** A file's name becomes part of a path, so only plain names may be one. */
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
 * Replaces `$NAME` and `${NAME}` by the unexpanded value of the last variable of that name; what is unknown becomes
 * nothing, `$$` a dollar sign (runner protocol, 10.3).
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

/** The values that references stand for, the last of a name winning. */
export function valuesOf(variables: readonly JobVariable[]): Map<string, string> {
  return new Map(variables.map(({ key, value }) => [key, value]))
}

/** One pass over all variables: a reference gives what stands in the other variable, not what that expands to. */
export function expandVariables(variables: readonly JobVariable[]): JobVariable[] {
  const values = valuesOf(variables)
  return variables.map((variable) =>
    variable.raw || variable.file ? variable : { ...variable, value: expandText(variable.value, values) },
  )
}
