import { messageOf } from '../../../lib/errors.js'
import type { Logger } from '../../../lib/logger.js'
import { type Cluster, ClusterError } from './cluster/cluster.js'
import { NEEDED_RIGHTS, type NeededRight } from './needed-rights.js'
import type { KubernetesExecutorSettings } from './settings.js'

/** What the credentials of a registration may do at an API server, or why it cannot be asked. */
export type ClusterReport =
  | { problem: string }
  | {
      problem: undefined
      /** Such as `v1.30.2`. */
      version: string
      /** Of the pods, for which the rights were asked. */
      namespace: string
      /** The jobs may choose other namespaces, for which the rights were not asked. */
      jobsChooseNamespace: boolean
      rights: CheckedRight[]
    }

export interface CheckedRight extends NeededRight {
  holds: boolean
}

/**
 * Asks the API server of the settings for its version and for the rights of the credentials. Creates nothing. Does not throw for an API
 * server that cannot be reached.
 */
export async function checkCluster(
  settings: KubernetesExecutorSettings,
  logger: Logger,
): Promise<ClusterReport> {
  const { createCluster } = await import('./cluster/create-cluster.js')
  try {
    const cluster = await createCluster(settings, { labelSelector: '', logger })
    try {
      return await reportOn(cluster, settings)
    } finally {
      cluster.close()
    }
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error
    return { problem: messageOf(error) }
  }
}

/** Whether all rights are there that each job of the registration needs. */
export function canRunJobs(report: ClusterReport): boolean {
  return (
    report.problem === undefined &&
    report.rights.every(({ holds, onlyFor }) => holds || onlyFor !== undefined)
  )
}

async function reportOn(
  cluster: Pick<Cluster, 'version' | 'missingRights' | 'defaultNamespace'>,
  settings: KubernetesExecutorSettings,
): Promise<ClusterReport> {
  const version = await cluster.version()
  const namespace = settings.namespace ?? cluster.defaultNamespace
  const readsEvents = settings.printPodWarningEvents ?? true
  const needed = NEEDED_RIGHTS.filter(({ resource }) => readsEvents || resource !== 'events')
  const missing = await cluster.missingRights(
    needed.map(({ verb, resource }) => ({ namespace, verb, resource })),
  )
  const isMissing = ({ verb, resource }: NeededRight) =>
    missing.some((right) => right.verb === verb && right.resource === resource)
  return {
    problem: undefined,
    version,
    namespace,
    jobsChooseNamespace: Boolean(settings.namespaceOverwriteAllowed),
    rights: needed.map((right) => ({ ...right, holds: !isMissing(right) })),
  }
}
