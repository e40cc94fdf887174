import type { V1Pod } from '@kubernetes/client-node'

import { deferred } from '../../../../lib/deferred.js'
import { linkSignals } from '../../../../lib/link-signals.js'
import { untilAborted } from '../../../../lib/until-aborted.js'
import type { Cluster } from '../cluster/cluster.js'
import { ExecutorError } from '../../executor.js'
import { podTitle } from './container-states.js'
import { findPodFailure, podDeleted, type PodFailure } from './pod-failures.js'

/**
 * The state of a pod while a job runs in it:
 *
 *     followed ── it ends, or a container of the runner does ──▶ lost: `failure` says why
 *        └─ `leave`: what happens to the pod no longer matters
 */
export class FollowedPod {
  private readonly unfollow: () => void
  private readonly loss = new AbortController()
  private changed = deferred()
  private lastFailure: PodFailure | undefined
  private hasLeft = false

  /** Aborts when the pod cannot run its job any more, with the `ExecutorError` as its reason. */
  readonly lost: AbortSignal = this.loss.signal

  constructor(
    cluster: Pick<Cluster, 'follow'>,
    /** As the API server returned it last. */
    private current: V1Pod,
  ) {
    this.update(current)
    this.unfollow = cluster.follow(current.metadata?.namespace ?? '', current.metadata?.name ?? '', {
      changed: (pod) => this.update(pod),
      deleted: () => this.fail(findPodFailure(this.current) ?? podDeleted(this.current)),
    })
  }

  get state(): V1Pod {
    return this.current
  }

  /** `namespace/name`. */
  get title(): string {
    return podTitle(this.current)
  }

  /** Why the pod is lost. */
  get failure(): PodFailure | undefined {
    return this.lastFailure
  }

  /** Resolves when the state has changed. Throws the reason of `signal`, or why the pod is lost. */
  async nextChange(signal: AbortSignal): Promise<void> {
    const ends = linkSignals(signal, this.lost)
    try {
      ends.signal.throwIfAborted()
      await untilAborted(this.changed.promise, ends.signal)
    } finally {
      ends.release()
    }
  }

  /** Must be called before the pod is deleted. May be called twice. */
  leave(): void {
    this.hasLeft = true
    this.unfollow()
  }

  private update(pod: V1Pod): void {
    // The name may belong to another pod by now.
    if (pod.metadata?.uid !== this.current.metadata?.uid) {
      this.fail(podDeleted(this.current))
      return
    }
    this.current = pod
    const { changed } = this
    this.changed = deferred()
    changed.resolve()
    const failure = findPodFailure(pod)
    if (failure) this.fail(failure)
  }

  private fail(failure: PodFailure): void {
    if (this.hasLeft || this.lost.aborted) return
    this.lastFailure = failure
    this.loss.abort(new ExecutorError(failure.message, failure.reason))
  }
}
