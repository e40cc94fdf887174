import { messageOf } from '../../../lib/errors.js'
import type { Logger } from '../../../lib/logger.js'
import { SECOND } from '../../../lib/time-units.js'
import { clusterFailure } from './cluster-failure.js'
import type { ApiRight } from './cluster/cluster.js'
import { createCluster } from './cluster/create-cluster.js'
import { ownSelector } from './pod/pod-labels.js'
import type { KubernetesExecutorSettings } from './settings.js'

/** A right that jobs need of the API server. */
export interface RightReport extends ApiRight {
  isHeld: boolean
  /** Whether all jobs need it. */
  isRequired: boolean
  purpose: string
}

/** What the credentials of a registration may do in the namespace of its jobs, or why that cannot be asked. */
export type ClusterReport =
  | { problem: string }
  | { problem: undefined; cluster: { version: string; namespace: string }; rights: RightReport[] }

type Need = Omit<RightReport, 'namespace' | 'isHeld'>

const REQUIRED: [verb: string, resource: string, purpose: string][] = [
  ['create', 'pods', 'starting jobs'],
  ['get', 'pods', 'continuing jobs after a restart of the runner'],
  ['list', 'pods', 'following jobs, and deleting what earlier runners left'],
  ['watch', 'pods', 'following jobs'],
  ['delete', 'pods', 'ending jobs'],
  ['create', 'pods/exec', 'running scripts, and handling their files'],
  ['get', 'pods/exec', 'the same with API servers before version 1.30'],
]

/** Only some jobs need these. */
const OPTIONAL: typeof REQUIRED = [
  ['create', 'secrets', 'pulling images with credentials of the job or the runner'],
  ['get', 'pods/log', 'the output of services in the log of a job (CI_DEBUG_SERVICES)'],
]

/** In the namespace of the jobs. */
export const NEEDED_RIGHTS: Need[] = [...REQUIRED, ...OPTIONAL].map(([verb, resource, purpose], index) => ({
  verb,
  resource,
  purpose,
  isRequired: index < REQUIRED.length,
}))

/** Asks the API server of the settings. Does not throw if it cannot be reached. */
export async function checkCluster(
  settings: KubernetesExecutorSettings,
  logger: Logger,
): Promise<ClusterReport> {
  try {
    const cluster = await createCluster(settings, { labelSelector: ownSelector(settings), logger })
    try {
      const version = await cluster.version(AbortSignal.timeout(10 * SECOND))
      const namespace = settings.namespace ?? cluster.defaultNamespace
      const wanted = NEEDED_RIGHTS.map((need) => ({ ...need, namespace }))
      const missing = await cluster.missingRights(wanted)
      const lacks = ({ verb, resource }: ApiRight) =>
        missing.some((right) => right.verb === verb && right.resource === resource)
      const rights = wanted.map((need) => ({ ...need, isHeld: !lacks(need) }))
      return { problem: undefined, cluster: { version, namespace }, rights }
    } finally {
      cluster.close()
    }
  } catch (error) {
    return { problem: messageOf(clusterFailure(error, 'being checked')) }
  }
}
