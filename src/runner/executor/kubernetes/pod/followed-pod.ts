import type { V1Pod } from '@kubernetes/client-node'

import { deferred } from '../../../../lib/deferred.js'
import { linkSignals } from '../../../../lib/link-signals.js'
import { untilAborted } from '../../../../lib/until-aborted.js'
import { ExecutorError } from '../../executor.js'
import type { Cluster } from '../cluster/cluster.js'
import { podTitle } from './container-states.js'
import { findBuildFailure, findPodFailure, podDeleted, type PodFailure } from './pod-failures.js'

/**
 * The state of a pod while a job runs in it:
 *
 *     followed ── the container of the job ends ──▶ scripts lost ── pod or helper end ──▶ lost
 *        └─ `leave`: what happens to the pod no longer matters
 */
export class FollowedPod {
  private readonly unfollow: () => void
  private readonly loss = new AbortController()
  private readonly lossOfScripts = new AbortController()
  private changed = deferred()
  private firstFailure: PodFailure | undefined
  private hasLeft = false

  /** Aborts when nothing of the job can continue in the pod, with an `ExecutorError` as its reason. */
  readonly lost: AbortSignal = this.loss.signal
  /** Aborts when no script can run in the pod any more, also with `lost`. */
  readonly scriptsLost: AbortSignal = this.lossOfScripts.signal

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

  /** Why scripts, or everything, is lost. */
  get failure(): PodFailure | undefined {
    return this.firstFailure
  }

  /** Resolves when the state has changed. Throws the reason of `signal`, or why no script can run. */
  async nextChange(signal: AbortSignal): Promise<void> {
    const ends = linkSignals(signal, this.scriptsLost)
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
    const buildFailure = findBuildFailure(pod)
    if (buildFailure) this.failScripts(buildFailure)
  }

  private fail(failure: PodFailure): void {
    if (this.hasLeft || this.lost.aborted) return
    this.failScripts(failure)
    this.loss.abort(new ExecutorError(failure.message, failure.reason))
  }

  private failScripts(failure: PodFailure): void {
    if (this.hasLeft || this.scriptsLost.aborted) return
    this.firstFailure = failure
    this.lossOfScripts.abort(new ExecutorError(failure.message, failure.reason))
  }
}
