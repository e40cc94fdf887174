import type { V1Pod, V1Secret } from '@kubernetes/client-node'

import type { JobLog } from '../../../trace/job-log.js'
import type { PullPolicy } from '../../docker/settings.js'
import type { ExecutorJob } from '../../executor.js'
import type { HelperPlaces } from '../../helper-places.js'
import type { KubernetesExecutorSettings } from '../settings.js'

/** The names of the containers of a pod. */
export const BUILD = 'build'
export const HELPER = 'helper'
/** Services are `svc-0` and so on. */
export const SERVICE_PREFIX = 'svc-'

export interface PodRequest {
  job: ExecutorJob
  settings: KubernetesExecutorSettings
  /** Of the credentials, for settings that name none. */
  defaultNamespace: string
  /** Distinguishes the pods of one job. */
  attempt: string
  /** Command of the container `build`, which never ends. */
  buildCommand: string[]
  places: HelperPlaces
  /** Images whose first pull policies have failed, and how many of them. */
  failedPolicies: ReadonlyMap<string, number>
  log: Pick<JobLog, 'plain' | 'warning'>
}

export interface PodPlan {
  namespace: string
  pod: V1Pod
  /** Credentials for images. Must be created before the pod, and owned by it. Undefined if there are none. */
  secret: V1Secret | undefined
  images: ImageUse[]
}

/** How a container obtains its image. */
export interface ImageUse {
  container: string
  image: string
  policies: PullPolicy[]
}

/**
 * Plans the pod of a job: the settings, with those values that its variables overwrite and the settings allow. Throws an
 * `ExecutorError` with the reason `runner_configuration_error` for what they do not allow.
 */
export type PlanPod = (request: PodRequest) => PodPlan
