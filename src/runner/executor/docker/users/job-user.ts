import { ExecutorError, type ExecutorJob, readExecutorOptions } from '../../executor.js'
import type { DockerExecutorSettings } from '../settings.js'

/**
 * The user of the settings, else of the job. Undefined selects that of the image, which is always allowed (runner
 * protocol, 7.7). Throws an `ExecutorError` if the settings do not allow the user.
 */
export function jobUser(
  { image, expand }: Pick<ExecutorJob, 'image' | 'expand'>,
  { user: configured, allowedUsers = [] }: Pick<DockerExecutorSettings, 'user' | 'allowedUsers'>,
): string | undefined {
  const asked = readExecutorOptions(image?.executor_opts, 'image').user
  const user = configured ?? (asked === undefined ? undefined : (expand?.(asked) ?? asked))
  if (user === undefined || user === '') return undefined
  if (allowedUsers.length === 0 || allowedUsers.includes(user)) return user
  const list = allowedUsers.map((name) => `"${name}"`).join(', ')
  const message =
    configured === undefined
      ? `The runner does not allow the user "${user}" of the job; allowed: ${list}`
      : `The settings of the runner are wrong: allowed_users does not contain its user "${user}"; allowed: ${list}`
  throw new ExecutorError(message, 'runner_configuration_error')
}
