import type { V1Pod } from '@kubernetes/client-node'

import { messageOf } from '../../../../../lib/errors.js'
import type { Logger } from '../../../../../lib/logger.js'
import { pause, withJitter } from '../../../../../lib/pause.js'
import { retry } from '../../../../../lib/retry.js'
import { SECOND } from '../../../../../lib/time-units.js'
import { ClusterError, type PodListener } from '../cluster.js'
import type { PodSource } from './pod-source.js'

const GONE = 410
const MAX_PAUSE = 30 * SECOND
/** A watch that lived longer than this was no failure, even if it reported nothing. */
const LONG_LIFE = 5 * SECOND
const FAILURES_OF_TROUBLE = 3

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
 *                 has left              (listeners get what changed since)
 */
export class PodWatch {
  private readonly followed = new Map<string, Followed>()
  private running: AbortController | undefined
  /** Undefined before a list. */
  private version: string | undefined
  private isListing = false
  private failures = 0

  constructor(
    private readonly namespace: string,
    private readonly source: PodSource,
    private readonly options: PodWatchOptions,
  ) {}

  follow(name: string, listener: PodListener): () => void {
    const follower: Follower = { listener, stopped: new AbortController() }
    const { followers, pod } = this.entryOf(name)
    followers.add(follower)
    if (pod) queueMicrotask(() => this.report(follower, () => listener.changed(pod)))
    else if (this.isListing || this.version !== undefined) void this.ask(name, follower)
    this.start()
    return () => this.leave(name, follower)
  }

  close(): void {
    for (const { followers } of this.followed.values()) for (const { stopped } of followers) stopped.abort()
    this.followed.clear()
    this.running?.abort()
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
    if (this.followed.size === 0) this.running?.abort()
  }

  private start(): void {
    if (this.running) return
    const running = new AbortController()
    this.running = running
    void this.run(running.signal).finally(() => {
      if (this.running !== running) return
      this.running = undefined
      this.version = undefined
      // Followed while it was about to end.
      if (this.followed.size > 0) this.start()
    })
  }

  private async run(signal: AbortSignal): Promise<void> {
    this.failures = 0
    // So that the first list covers all pods that are followed at once.
    await Promise.resolve()
    do {
      const begin = performance.now()
      try {
        this.version ??= await this.list(signal)
        await this.watch(this.version, signal)
        if (performance.now() - begin < LONG_LIFE) this.failures++
        else this.failures = 0
      } catch (error) {
        if (signal.aborted) return
        this.recordFailure(error)
      }
      if (this.failures > 0) {
        const milliseconds = Math.min(this.options.firstPause * 2 ** (this.failures - 1), MAX_PAUSE)
        await pause(withJitter(milliseconds), signal)
      }
    } while (!signal.aborted)
  }

  private recordFailure(error: unknown): void {
    this.failures++
    if (error instanceof ClusterError && error.status === GONE) this.version = undefined
    else this.options.cut()
    const facts = { namespace: this.namespace, error: messageOf(error) }
    const text = 'The watch of the pods ended and is started again'
    // The connection of a watch may be cut at any time, so one failure is nothing to worry about.
    if (this.failures === FAILURES_OF_TROUBLE) this.options.logger.warn(facts, text)
    else this.options.logger.debug(facts, text)
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

  private async watch(version: string, signal: AbortSignal): Promise<void> {
    for await (const event of this.source.watch(version, signal)) {
      this.failures = 0
      this.version = event.resourceVersion
      if (event.type === 'bookmark') continue
      const name = event.pod.metadata?.name ?? ''
      if (event.type === 'changed') this.changed(name, event.pod)
      else this.deleted(name, [...(this.followed.get(name)?.followers ?? [])])
    }
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
