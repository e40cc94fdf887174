import type { Logger } from '../../../../lib/logger.js'
import type { ClusterSettings } from '../settings.js'
import { ApiCluster } from './api-cluster.js'
import { CLUSTER_TIMES, type ClusterTimes } from './cluster-times.js'
import type { Cluster } from './cluster.js'
import { loadCredentials, type Surroundings } from './credentials/load-credentials.js'

export interface CreateClusterOptions {
  /** Of the pods that are followed: one watch in each namespace reports these. */
  labelSelector: string
  logger: Logger
  /** Instead of the usual ones, for tests. */
  times?: Partial<ClusterTimes>
  surroundings?: Surroundings
}

/**
 * A client for the cluster that the settings name. Does not contact the API server yet. Throws a `ClusterError` that names the file and the
 * remedy if there are no credentials. Must be imported late: it loads the parts of the official client that read kubeconfig files.
 */
export async function createCluster(
  settings: ClusterSettings,
  { labelSelector, logger, times, surroundings }: CreateClusterOptions,
): Promise<Cluster> {
  const credentials = await loadCredentials(settings, surroundings)
  return new ApiCluster({ credentials, labelSelector, logger, times: { ...CLUSTER_TIMES, ...times } })
}
