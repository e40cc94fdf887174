import { ExecutorError } from '../../errors.js'
import type { ExecutorJob } from '../../executor.js'
import { readExecutorOptions } from '../../executor-options.js'
import type { DockerExecutorSettings } from '../settings.js'

/**
 * The settings' user, else the job's; undefined for the image's own, which is always allowed (runner protocol, 7.7).
 * Throws an `ExecutorError` for one that the settings do not allow.
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
  const message = `The user "${user}" is not one that the runner allows: ${list}`
  throw new ExecutorError(message, 'runner_configuration_error')
}
