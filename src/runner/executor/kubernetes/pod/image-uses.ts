import { effectivePullPolicies } from '../../docker/images/pull-policy.js'
import type { PullPolicy } from '../../docker/settings.js'
import type { KubernetesExecutorSettings } from '../settings.js'
import type { ImageUse } from './pod-plan.js'

/** The images of a pod, in the order of its containers. */
export interface ChosenImages {
  settings: Pick<KubernetesExecutorSettings, 'pullPolicy' | 'allowedPullPolicies'>
  /** Images whose first pull policies have failed, and how many of them. */
  failedPolicies: ReadonlyMap<string, number>
  uses: ImageUse[]
}

interface WantedImage {
  container: string
  image: string
  /** The pull policies that the job asks for. */
  asked: readonly string[] | null | undefined
}

const API_POLICIES: Record<PullPolicy, string> = {
  always: 'Always',
  'if-not-present': 'IfNotPresent',
  never: 'Never',
}

/**
 * The keys of a container about its image, which is added to the uses. Without any policy, the cluster decides. Throws an
 * `ExecutorError` for a policy that is not allowed.
 */
export function imageUse(
  { settings, failedPolicies, uses }: ChosenImages,
  { container, image, asked }: WantedImage,
): { image: string; imagePullPolicy?: string | undefined } {
  const isLeftToCluster = !asked?.length && !settings.pullPolicy?.length
  const policies = isLeftToCluster ? [] : effectivePullPolicies(asked ? [...asked] : undefined, settings)
  uses.push({ container, image, policies })
  const policy = policies[Math.min(failedPolicies.get(image) ?? 0, policies.length - 1)]
  return { image, imagePullPolicy: policy && API_POLICIES[policy] }
}
