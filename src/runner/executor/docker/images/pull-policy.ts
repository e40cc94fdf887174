import { ExecutorError } from '../../executor.js'
import { type DockerExecutorSettings, PULL_POLICIES, type PullPolicy } from '../settings.js'

/**
 * The policies to try, in order: those of the job, else of the settings, limited to the allowed ones (runner
 * protocol, 7.5). Throws an `ExecutorError` if none is left.
 */
export function effectivePullPolicies(
  asked: string[] | null | undefined,
  settings: Pick<DockerExecutorSettings, 'pullPolicy' | 'allowedPullPolicies'>,
): PullPolicy[] {
  const configured: readonly PullPolicy[] = settings.pullPolicy?.length ? settings.pullPolicy : ['always']
  const allowed = settings.allowedPullPolicies?.length ? settings.allowedPullPolicies : configured
  const wanted = asked?.length ? asked : configured
  const policies = wanted.filter(isPullPolicy).filter((policy) => allowed.includes(policy))
  if (policies.length > 0) return policies
  throw new ExecutorError(
    `The runner does not allow the pull policy [${wanted.join(' ')}] of the job; allowed: [${allowed.join(' ')}]`,
    'runner_configuration_error',
  )
}

function isPullPolicy(name: string): name is PullPolicy {
  return PULL_POLICIES.some((policy) => policy === name)
}
