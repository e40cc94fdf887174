import type { Kubelet } from './kubelet.js'
import { now, type ObjectStore } from './object-store.js'
import { condition, type PodObject, withConditions } from './pod-objects.js'

/** What may happen to pods on their node, as a cluster reports it. */
export class NodeFailures {
  constructor(
    private readonly pods: ObjectStore<PodObject>,
    private readonly kubelet: Kubelet,
  ) {}

  /** As the kubelet does when a node or a volume has no space left. */
  evict(namespace: string, name: string, message: string): void {
    const pod = this.abandon(namespace, name)
    const { startTime, qosClass } = pod.status
    const status = {
      phase: 'Failed',
      reason: 'Evicted',
      message,
      qosClass,
      ...(startTime && { startTime }),
    } as const
    this.pods.update({ ...pod, status })
  }

  /** As the system does when a container uses more memory than its limit. */
  killForMemory(namespace: string, name: string, container: string): void {
    this.kubelet.find(this.pods.get(namespace, name).metadata.uid, container)?.kill('OOMKilled')
  }

  /** The node does not respond any more, so that the pod is to be deleted, and stays. */
  lose(namespace: string, name: string): void {
    const pod = this.abandon(namespace, name)
    const message = `Node ${pod.spec.nodeName} which was running pod ${name} is unresponsive`
    const grace = pod.spec.terminationGracePeriodSeconds ?? 30
    const deleted = { deletionTimestamp: now(Date.now() + grace * 1000), deletionGracePeriodSeconds: grace }
    const metadata = { ...pod.metadata, ...deleted }
    const status = { ...pod.status, reason: 'NodeLost', message }
    const taint = 'Taint manager: deleting due to NoExecute taint'
    const conditions = [
      condition('Ready', false),
      condition('DisruptionTarget', true, 'DeletionByTaintManager', taint),
    ]
    this.pods.update(withConditions({ ...pod, metadata, status }, ...conditions))
  }

  /** The node was removed from the cluster, and the pod with it. */
  remove(namespace: string, name: string): void {
    const pod = this.abandon(namespace, name)
    const message = 'PodGC: node no longer exists'
    const disrupted = withConditions(pod, condition('DisruptionTarget', true, 'DeletionByPodGC', message))
    this.pods.remove(this.pods.update({ ...disrupted, status: { ...disrupted.status, phase: 'Failed' } }))
  }

  private abandon(namespace: string, name: string): PodObject {
    const pod = this.pods.get(namespace, name)
    this.kubelet.abandon(pod)
    return pod
  }
}
