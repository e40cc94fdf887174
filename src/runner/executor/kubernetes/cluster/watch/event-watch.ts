import { messageOf } from '../../../../../lib/errors.js'
import type { Logger } from '../../../../../lib/logger.js'
import { MINUTE } from '../../../../../lib/time-units.js'
import type { ApiResource } from '../api/api-resource.js'
import type { ClusterTimes } from '../cluster-times.js'
import { ClusterError, type EventListener, type PodEvent } from '../cluster.js'
import { WatchLoop } from './watch-loop.js'
import { watchObjects } from './watch-objects.js'

/** The API server keeps other events to itself. It cannot select by labels of pods, and only one name at a time. */
const SELECTION = { fieldSelector: 'involvedObject.kind=Pod,type=Warning' }
const FORBIDDEN = 403
/** Before the right is tried again, which somebody may grant while pods wait. */
const REFUSED_PAUSE = 5 * MINUTE

export interface EventWatchOptions {
  events: ApiResource<PodEvent>
  namespace: string
  times: Pick<ClusterTimes, 'watch' | 'watchSilence' | 'watchPause' | 'eventDelay'>
  logger: Logger
}

interface Follower {
  uid: string
  listener: EventListener
  timer: NodeJS.Timeout
}

/**
 * The warnings about pods of one namespace, for pods that do not run yet:
 *
 *     no pod waits ──follow──▶ a pod waits ──eventDelay──▶ list ──▶ watch
 *          ▲                                                         │
 *          └────────────────── no pod waits ◀────────────────────────┘
 *
 * It is one watch and not a list for each pod. A list costs the API server a reading of all events of the namespace, because it keeps
 * neither an index nor a cache of them, and would have to be repeated for as long as the pod waits. The watch is not always open: a big
 * namespace has many events, and few pods wait for longer than the delay. A pod that is followed while the watch is open is new, so that
 * no event about it was missed; the list has those about the others. It is read in pages, and only events of followed pods are kept.
 */
export class EventWatch {
  private readonly followers = new Set<Follower>()
  private running: AbortController | undefined
  private hasSaidRefusal = false
  private isClosed = false

  constructor(private readonly options: EventWatchOptions) {}

  /** `uid`: of a pod that was created just now. */
  follow(uid: string, listener: EventListener): () => void {
    if (this.isClosed) return () => undefined
    const timer = setTimeout(() => this.start(), this.options.times.eventDelay)
    const follower = { uid, listener, timer }
    this.followers.add(follower)
    return () => this.leave(follower)
  }

  close(): void {
    this.isClosed = true
    for (const follower of this.followers) this.leave(follower)
  }

  private leave(follower: Follower): void {
    clearTimeout(follower.timer)
    this.followers.delete(follower)
    if (this.followers.size > 0) return
    this.running?.abort()
    this.running = undefined
  }

  private start(): void {
    if (this.running) return
    this.running = new AbortController()
    void this.loop().run(this.running.signal)
  }

  private loop(): WatchLoop<PodEvent> {
    const { events, namespace, times, logger } = this.options
    return new WatchLoop<PodEvent>(
      {
        list: (signal) => this.list(signal),
        watch: (resourceVersion, signal) =>
          watchObjects(events, { namespace, ...SELECTION }, { resourceVersion, times }, signal),
        changed: (event) => this.report(event),
        // Events expire after an hour.
        deleted: () => undefined,
        failed: (error) => this.recordFailure(error),
      },
      { firstPause: times.watchPause, logger, fields: { namespace, resource: 'events' } },
    )
  }

  private async list(signal: AbortSignal): Promise<string> {
    let version = ''
    for await (const page of this.options.events.pages(this.options.namespace, SELECTION, signal)) {
      version = page.resourceVersion
      for (const event of page.items) this.report(event)
    }
    return version
  }

  private report(event: PodEvent): void {
    for (const { uid, listener } of this.followers) if (uid === event.involvedObject.uid) listener(event)
  }

  private recordFailure(error: unknown): number | undefined {
    if (!(error instanceof ClusterError) || error.status !== FORBIDDEN) return undefined
    const { namespace, logger } = this.options
    const text =
      'The runner may not read the events of the namespace: the logs of its jobs do not have the warnings of the cluster about pods that do not start'
    if (!this.hasSaidRefusal) logger.warn({ namespace, error: messageOf(error) }, text)
    this.hasSaidRefusal = true
    return REFUSED_PAUSE
  }
}
