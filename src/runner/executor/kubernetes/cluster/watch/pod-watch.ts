import type { V1Pod } from '@kubernetes/client-node'

import type { Logger } from '../../../../../lib/logger.js'
import { retry } from '../../../../../lib/retry.js'
import { SECOND } from '../../../../../lib/time-units.js'
import type { PodListener } from '../cluster.js'
import type { PodSource } from './pod-source.js'
import { WatchLoop } from './watch-loop.js'

const MAX_PAUSE = 30 * SECOND

export interface PodWatchOptions {
  /** Milliseconds before a watch that was cut begins again. Doubles after each further failure. */
  firstPause: number
  /** Called when the API server was not reached, or the connection of the watch was cut. */
  cut: () => void
  logger: Logger
}

interface Follower {
  listener: PodListener
  /** Ends the questions about the pod. */
  stopped: AbortController
}

interface Followed {
  followers: Set<Follower>
  /** As last reported. */
  pod: V1Pod | undefined
}

/**
 * The state of the followed pods of one namespace, by one watch however many they are:
 *
 *     nobody follows ──follow──▶ list ──▶ watch ──ended, or cut──▶ watch from the last version
 *           ▲                     ▲                    │
 *           └──── last follower   └──── 410: the version is no longer known
 *                 has left              (listeners get what changed since; `WatchLoop`)
 */
export class PodWatch {
  private readonly followed = new Map<string, Followed>()
  private running: { stop: AbortController; loop: WatchLoop<V1Pod> } | undefined
  private isListing = false
  private isClosed = false

  constructor(
    private readonly namespace: string,
    private readonly source: PodSource,
    private readonly options: PodWatchOptions,
  ) {}

  follow(name: string, listener: PodListener): () => void {
    if (this.isClosed) return () => undefined
    const follower: Follower = { listener, stopped: new AbortController() }
    const { followers, pod } = this.entryOf(name)
    followers.add(follower)
    if (pod) queueMicrotask(() => this.report(follower, () => listener.changed(pod)))
    else if (this.isListing || this.running?.loop.hasListed) void this.ask(name, follower)
    this.start()
    return () => this.leave(name, follower)
  }

  /** Nothing is reported any more. */
  close(): void {
    this.isClosed = true
    for (const { followers } of this.followed.values()) for (const { stopped } of followers) stopped.abort()
    this.followed.clear()
    this.running?.stop.abort()
  }

  private entryOf(name: string): Followed {
    const known = this.followed.get(name)
    if (known) return known
    const entry: Followed = { followers: new Set(), pod: undefined }
    this.followed.set(name, entry)
    return entry
  }

  private leave(name: string, follower: Follower): void {
    follower.stopped.abort()
    const entry = this.followed.get(name)
    entry?.followers.delete(follower)
    if (entry?.followers.size === 0) this.followed.delete(name)
    if (this.followed.size === 0) this.running?.stop.abort()
  }

  private start(): void {
    if (this.running) return
    const stop = new AbortController()
    const loop = this.loop()
    const running = { stop, loop }
    this.running = running
    // Later, so that the first list covers all pods that are followed at once.
    void Promise.resolve()
      .then(() => loop.run(stop.signal))
      .finally(() => {
        if (this.running !== running) return
        this.running = undefined
        // Followed while it was about to end.
        if (this.followed.size > 0) this.start()
      })
  }

  private loop(): WatchLoop<V1Pod> {
    const { source, namespace } = this
    const { firstPause, logger, cut } = this.options
    return new WatchLoop<V1Pod>(
      {
        list: (signal) => this.list(signal),
        watch: (resourceVersion, signal) => source.watch(resourceVersion, signal),
        changed: (pod) => this.changed(nameOf(pod), pod),
        deleted: (pod) => this.deleted(nameOf(pod), [...(this.followed.get(nameOf(pod))?.followers ?? [])]),
        failed: () => {
          cut()
          return undefined
        },
      },
      { firstPause, logger, fields: { namespace, resource: 'pods' } },
    )
  }

  /** Returns the version from which the watch must start. */
  private async list(signal: AbortSignal): Promise<string> {
    const covered = new Set([...this.followed.values()].flatMap(({ followers }) => [...followers]))
    this.isListing = true
    const { items, resourceVersion } = await this.source.list(signal).finally(() => {
      this.isListing = false
    })
    const pods = new Map(items.map((pod) => [pod.metadata?.name, pod]))
    for (const [name, { followers }] of this.followed) {
      const pod = pods.get(name)
      if (pod) this.changed(name, pod)
      else
        this.deleted(
          name,
          [...followers].filter((follower) => covered.has(follower)),
        )
    }
    return resourceVersion
  }

  private changed(name: string, pod: V1Pod): void {
    const entry = this.followed.get(name)
    if (!entry || entry.pod?.metadata?.resourceVersion === pod.metadata?.resourceVersion) return
    entry.pod = pod
    for (const follower of entry.followers) this.report(follower, () => follower.listener.changed(pod))
  }

  private deleted(name: string, followers: Follower[]): void {
    for (const follower of followers) {
      this.report(follower, () => follower.listener.deleted())
      this.leave(name, follower)
    }
  }

  private report(follower: Follower, call: () => void): void {
    if (!follower.stopped.signal.aborted) call()
  }

  /** A pod that is followed while the watch runs may have been deleted before, which the watch does not report. */
  private async ask(name: string, follower: Follower): Promise<void> {
    const { signal } = follower.stopped
    const limits = { attempts: Infinity, delay: this.options.firstPause, maximumDelay: MAX_PAUSE, signal }
    try {
      const read = () => this.source.read(name, signal)
      const pod = await retry(read, { ...limits, isWorthRetrying: () => !signal.aborted })
      // What the watch has reported is at least as new.
      if (signal.aborted || this.followed.get(name)?.pod) return
      if (pod) this.changed(name, pod)
      else this.deleted(name, [follower])
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}

function nameOf({ metadata }: V1Pod): string {
  return metadata?.name ?? ''
}
