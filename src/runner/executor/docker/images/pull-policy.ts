import { ExecutorError } from '../../executor.js'
import { type DockerExecutorSettings, PULL_POLICIES, type PullPolicy } from '../settings.js'

type Settings = Pick<DockerExecutorSettings, 'pullPolicy' | 'allowedPullPolicies'>

/**
 * The policies to try, in order: those of the job, else of the settings, limited to the allowed ones (runner
 * protocol, 7.5). Throws an `ExecutorError` if none is left, which says whose policy is refused.
 */
export function effectivePullPolicies(asked: string[] | null | undefined, settings: Settings): PullPolicy[] {
  const { configured, allowed } = policiesOf(settings)
  const wanted = asked?.length ? asked : configured
  const policies = wanted.filter(isPullPolicy).filter((policy) => allowed.includes(policy))
  if (policies.length > 0) return policies
  const list = `[${wanted.join(' ')}]`
  const ending = `allowed: [${allowed.join(' ')}]`
  throw new ExecutorError(
    asked?.length
      ? `The runner does not allow the pull policy ${list} of the job; ${ending}`
      : `The settings of the runner are wrong: allowed_pull_policies does not contain its pull_policy ${list}; ${ending}`,
    'runner_configuration_error',
  )
}

/** The policies of the settings for jobs that name none, if not one of them is allowed. */
export function refusedPullPolicies(settings: Settings): {
  refused?: readonly PullPolicy[]
  allowed: readonly PullPolicy[]
} {
  const { configured, allowed } = policiesOf(settings)
  return configured.some((policy) => allowed.includes(policy))
    ? { allowed }
    : { refused: configured, allowed }
}

function policiesOf({ pullPolicy, allowedPullPolicies }: Settings) {
  const configured: readonly PullPolicy[] = pullPolicy?.length ? pullPolicy : ['always']
  return { configured, allowed: allowedPullPolicies?.length ? allowedPullPolicies : configured }
}

function isPullPolicy(name: string): name is PullPolicy {
  return PULL_POLICIES.some((policy) => policy === name)
}
