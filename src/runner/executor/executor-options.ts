import { isRecord } from '../../lib/is-record.js'
import { ExecutorError } from './errors.js'

/** Options of a job for its container (runner protocol, 2.9). */
export interface JobExecutorOptions {
  /** For example `linux/arm64`. */
  platform?: string
  /** Name or number, optionally followed by a colon and a group. */
  user?: string
}

const KNOWN: Record<string, readonly string[]> = { docker: ['platform', 'user'], kubernetes: ['user'] }

/**
 * Reads `executor_opts` of the image of the job or of a service. Throws an `ExecutorError` for an unknown option,
 * because a job must not run without an option that it requests.
 */
export function readExecutorOptions(
  options: Record<string, unknown> | null | undefined,
  of: string,
): JobExecutorOptions {
  for (const [executor, asked] of Object.entries(options ?? {})) {
    const known = KNOWN[executor]
    if (known === undefined || !isRecord(asked)) throw unknownOption(of, executor, Object.keys(KNOWN))
    const other = Object.keys(asked).find((key) => !known.includes(key))
    if (other !== undefined) throw unknownOption(of, `${executor}.${other}`, known)
  }
  const docker = options?.['docker']
  return isRecord(docker) ? { ...platformOf(docker, of), ...userOf(docker, of) } : {}
}

function platformOf({ platform }: Record<string, unknown>, of: string): Pick<JobExecutorOptions, 'platform'> {
  if (platform === undefined || platform === null || platform === '') return {}
  if (typeof platform === 'string') return { platform }
  throw wrongOption(of, 'docker.platform', 'a string such as "linux/arm64"')
}

function userOf({ user }: Record<string, unknown>, of: string): Pick<JobExecutorOptions, 'user'> {
  if (user === undefined || user === null) return {}
  if (typeof user === 'string' || typeof user === 'number') return { user: String(user) }
  throw wrongOption(of, 'docker.user', 'a name or a number')
}

function unknownOption(of: string, name: string, known: readonly string[]): ExecutorError {
  const message = `the ${of} of the job has the option "${name}", which this runner does not know; known options: ${known.join(', ')}`
  return new ExecutorError(message, 'runner_system_failure')
}

function wrongOption(of: string, name: string, wanted: string): ExecutorError {
  return new ExecutorError(
    `the option "${name}" of the ${of} of the job must be ${wanted}`,
    'runner_system_failure',
  )
}
