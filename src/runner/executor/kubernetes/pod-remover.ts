import { messageOf } from '../../../lib/errors.js'
import type { Logger } from '../../../lib/logger.js'
import { retry } from '../../../lib/retry.js'
import { SECOND } from '../../../lib/time-units.js'
import { isAway } from './cluster-failure.js'
import type { Cluster } from './cluster/cluster.js'
import type { PodRecord } from './pod-record.js'

export interface PodIdentity extends Pick<PodRecord, 'namespace' | 'name'> {
  /** Undefined for a pod whose creation was not confirmed. */
  uid: string | undefined
}

const ATTEMPTS = 4

/**
 * Deletes pods. Secrets of a job are owned by its pod, so the cluster deletes them with it. A pod that cannot be deleted
 * while the API server is away is deleted when that responds again.
 */
export class PodRemover {
  private readonly left = new Map<string, PodIdentity>()

  constructor(
    private readonly cluster: Pick<Cluster, 'deletePod'>,
    /** Seconds for the processes of a pod. Undefined: as its specification says. */
    private readonly graceSeconds: number | undefined,
    private readonly logger: Logger,
  ) {}

  /** Resolves when the API server has accepted the deletion. Does not throw. */
  async remove(pod: PodIdentity): Promise<void> {
    try {
      await retry(() => this.delete(pod), {
        attempts: ATTEMPTS,
        delay: SECOND / 2,
        maximumDelay: 5 * SECOND,
        isWorthRetrying: isAway,
      })
    } catch (error) {
      const { namespace, name } = pod
      if (isAway(error)) this.removeLater(pod)
      this.logger.error(
        { namespace, pod: name, error: messageOf(error) },
        'The pod of a job cannot be deleted',
      )
    }
  }

  /** Deletes the pod when the API server responds. */
  removeLater(pod: PodIdentity): void {
    this.left.set(`${pod.namespace}/${pod.name}`, pod)
  }

  /** Call this when the API server responds. Does not throw. */
  async removeLeft(): Promise<void> {
    const pods = [...this.left.values()]
    this.left.clear()
    await Promise.all(pods.map((pod) => this.remove(pod)))
  }

  private async delete({ namespace, name, uid }: PodIdentity): Promise<void> {
    await this.cluster.deletePod(namespace, name, { uid, graceSeconds: this.graceSeconds })
  }
}
