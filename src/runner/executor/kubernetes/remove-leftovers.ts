import type { V1Pod } from '@kubernetes/client-node'

import { messageOf } from '../../../lib/errors.js'
import type { Logger } from '../../../lib/logger.js'
import { clusterFailure } from './cluster-failure.js'
import { type Cluster, ClusterError } from './cluster/cluster.js'
import type { PodRemover } from './pod-remover.js'
import { jobIdIn, ownSelector } from './pod/pod-labels.js'
import type { KubernetesExecutorSettings } from './settings.js'

export interface LeftoverParts {
  cluster: Pick<Cluster, 'defaultNamespace' | 'listPods'>
  settings: Pick<
    KubernetesExecutorSettings,
    'namespace' | 'namespaceOverwriteAllowed' | 'runnerShortToken' | 'systemId'
  >
  remover: Pick<PodRemover, 'remove'>
  logger: Logger
}

/**
 * Deletes the pods of this runner that belong to none of the jobs in `kept`, and with them their secrets. Where jobs may
 * choose their namespace, looks into all namespaces if the rights allow; a pod that is not found ends at its deadline.
 * Throws an `ExecutorError` if the API server fails.
 */
export async function removeLeftovers(parts: LeftoverParts, kept: ReadonlySet<number>): Promise<void> {
  const pods = await findPods(parts)
  const left = pods.filter(({ metadata }) => !kept.has(jobIdIn(metadata?.labels)))
  await Promise.all(
    left.map(({ metadata }) =>
      parts.remover.remove({
        namespace: metadata?.namespace ?? '',
        name: metadata?.name ?? '',
        uid: metadata?.uid,
      }),
    ),
  )
}

async function findPods({ cluster, settings, logger }: LeftoverParts): Promise<V1Pod[]> {
  const selector = ownSelector(settings)
  const namespace = settings.namespace ?? cluster.defaultNamespace
  try {
    if (settings.namespaceOverwriteAllowed) return await cluster.listPods(undefined, selector)
  } catch (error) {
    if (!(error instanceof ClusterError) || error.isAway) throw clusterFailure(error, 'listing pods')
    const text = `Pods of earlier jobs in namespaces other than "${namespace}" cannot be found`
    logger.debug({ error: messageOf(error) }, text)
  }
  try {
    return await cluster.listPods(namespace, selector)
  } catch (error) {
    throw clusterFailure(error, 'listing the pods of earlier jobs')
  }
}
