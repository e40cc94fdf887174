import { chunks } from '../../lib/chunks.js'
import type { Logger } from '../../lib/logger.js'
import type { LiveNews } from '../ci/signals/live-news.js'
import type { TraceOwner } from '../ci/storage/traces.js'
import { CHANGED_KINDS, type Changes, GatheredChanges } from './changes.js'

export interface LivePeersDeps {
  /** ID of this coordinator. */
  self: string
  send: (news: LiveNews) => Promise<void>
  /** Size of a log that readers may see, in bytes. */
  readableSize: (job: TraceOwner) => Promise<number>
  logger: Logger
  /** Time after which a failed message is replaced, in milliseconds, instead of the default. */
  retryAfter?: number
}

/** Called with the messages of other coordinators. */
export interface LivePeersListener {
  onChanged: (changes: Changes) => void
  /** `size`: what readers may see, in bytes. */
  onGrown: (jobId: number, size: number) => void
  /** Streams elsewhere read the logs of these jobs. */
  onWatched: (jobIds: readonly number[]) => void
  /** Another coordinator asks for the logs that streams read here. */
  onAsked: () => void
  /** Changes elsewhere may have been missed. */
  onMissed: () => void
}

/** A coordinator with streams: until when it counts as one, and each log that it reads, in milliseconds since 1970. */
interface Listening {
  until: number
  logs: Map<number, number>
}

/** A coordinator that has streams sends heartbeats more often than this, in milliseconds. */
const SILENCE = 25_000
/** Minimum time between two messages, in milliseconds. */
const GATHER = 25
/** Minimum time between two messages about one log, in milliseconds. */
const GROWN_EVERY = 100
const RETRY_AFTER = 1000
/** Maximum number of IDs, or of pairs, of one message, whose text is limited to 8000 bytes. */
const IDS = 300
const PAIRS = 100

/**
 * The other coordinators on the store. One that has streams sends heartbeats; only then do the others send it
 * their changes. So without streams anywhere, a change costs a comparison of two numbers. Changes before the first
 * heartbeat arrived are read from the store, because the receiver of the heartbeat reports that changes may have been
 * missed.
 */
export class LivePeers {
  /** By the ID of the coordinator. */
  private readonly listening = new Map<string, Listening>()
  private listeningUntil = 0
  private gathered = new GatheredChanges()
  private readonly grownJobs = new Map<number, TraceOwner>()
  /** When each log was last reported. */
  private readonly grownAt = new Map<number, number>()
  private readonly replies: LiveNews[] = []
  /** The logs of the heartbeat that must be sent. */
  private watched: readonly number[] | undefined
  private timer: NodeJS.Timeout | undefined
  private sentAt = -Infinity
  private sending: Promise<void> | undefined
  private isStopped = false

  constructor(
    private readonly deps: LivePeersDeps,
    private readonly listener: LivePeersListener,
  ) {}

  /** Called after a commit; does not throw. */
  changed(changes: Changes): void {
    if (this.listeningUntil <= Date.now()) return
    this.gathered.add(changes)
    this.schedule()
  }

  /** Called when bytes were added to a log; does not throw. */
  grown(job: TraceOwner): void {
    if (this.listeningUntil <= Date.now() || !this.isWatched(job.id)) return
    this.grownJobs.set(job.id, job)
    this.schedule()
  }

  /** This coordinator has streams, and these read the logs of these jobs. */
  sendHeartbeat(jobIds: readonly number[]): void {
    this.watched = jobIds
    this.schedule()
  }

  /** Listening for messages has started or resumed. */
  onListening(): void {
    this.reply({ asks: true })
    this.listener.onMissed()
  }

  receive(from: string, news: LiveNews): void {
    const { watched, changed, grown = [], asks, missedBy } = news
    if (watched) this.recordHeartbeat(from, watched)
    if (changed) this.listener.onChanged(changed)
    for (const [jobId, size] of grown) this.listener.onGrown(jobId, size)
    if (asks) this.listener.onAsked()
    if (missedBy === '*' || missedBy === this.deps.self) this.listener.onMissed()
  }

  /** Ends when the running message is sent; call it before the store is closed. */
  async stop(): Promise<void> {
    this.isStopped = true
    clearTimeout(this.timer)
    await this.sending
  }

  private recordHeartbeat(from: string, watched: readonly number[]): void {
    const now = Date.now()
    for (const [id, { until }] of this.listening) if (until <= now) this.listening.delete(id)
    const known = this.listening.get(from)
    const logs = new Map([...(known?.logs ?? [])].filter(([, until]) => until > now))
    for (const jobId of watched) logs.set(jobId, now + SILENCE)
    this.listening.set(from, { until: now + SILENCE, logs })
    this.listeningUntil = now + SILENCE
    this.listener.onWatched(watched)
    if (!known) this.reply({ missedBy: from })
  }

  private isWatched(jobId: number): boolean {
    const now = Date.now()
    return [...this.listening.values()].some(({ logs }) => (logs.get(jobId) ?? 0) > now)
  }

  private reply(news: LiveNews): void {
    this.replies.push(news)
    this.schedule()
  }

  private schedule(wait = Math.max(0, this.sentAt + GATHER - performance.now())): void {
    if (this.timer || this.sending || this.isStopped) return
    this.timer = setTimeout(() => this.flush(), wait)
  }

  private flush(): void {
    this.timer = undefined
    this.sentAt = performance.now()
    this.sending = this.sendAll()
      .catch((error: unknown) => this.onLost(error))
      .then((wait) => {
        this.sending = undefined
        if (wait !== undefined) this.schedule(wait)
      })
  }

  /** Returns the time until more must be sent, in milliseconds; undefined if there is nothing. */
  private async sendAll(): Promise<number | undefined> {
    const { gathered } = this
    this.gathered = new GatheredChanges()
    const replies = [...this.replies.splice(0), ...heartbeatOf(this.watched)]
    this.watched = undefined
    const grown = await this.takeGrown()
    for (const news of [...replies, ...messagesOf(gathered, grown)]) await this.deps.send(news)
    if (this.hasMore()) return GATHER
    return this.grownJobs.size > 0 ? GROWN_EVERY : undefined
  }

  private hasMore(): boolean {
    return this.replies.length > 0 || this.watched !== undefined || !this.gathered.isEmpty
  }

  private async takeGrown(): Promise<[number, number][]> {
    const now = Date.now()
    for (const [jobId, at] of this.grownAt) if (now - at >= GROWN_EVERY) this.grownAt.delete(jobId)
    const due = [...this.grownJobs.values()].filter(({ id }) => !this.grownAt.has(id))
    const grown: [number, number][] = []
    for (const job of due) {
      this.grownJobs.delete(job.id)
      this.grownAt.set(job.id, now)
      grown.push([job.id, await this.deps.readableSize(job)])
    }
    return grown
  }

  private onLost(error: unknown): number {
    this.deps.logger.warn({ err: error }, 'Failed to notify other coordinators of changes; trying again')
    this.replies.push({ missedBy: '*' })
    return this.deps.retryAfter ?? RETRY_AFTER
  }
}

function heartbeatOf(watched: readonly number[] | undefined): LiveNews[] {
  if (!watched) return []
  return watched.length === 0 ? [{ watched: [] }] : chunks(watched, IDS).map((some) => ({ watched: some }))
}

function messagesOf(changes: GatheredChanges, grown: [number, number][]): LiveNews[] {
  const parts: LiveNews[] = [
    ...CHANGED_KINDS.flatMap((name) =>
      chunks([...changes[name]], IDS).map((ids) => ({ changed: { [name]: ids } })),
    ),
    ...chunks([...changes.deletedPipelines.values()], PAIRS).map((some) => ({
      changed: { deletedPipelines: some },
    })),
    ...chunks([...changes.deletedPlanned.values()], PAIRS / 2).map((some) => ({
      changed: { deletedPlanned: some },
    })),
    ...chunks(grown, PAIRS).map((some) => ({ grown: some })),
  ]
  const isShort = changes.deleted + grown.length <= PAIRS / 2 && sizeOf(changes) <= IDS / 3
  return isShort && parts.length > 1 ? [merged(parts)] : parts
}

function sizeOf(changes: GatheredChanges): number {
  return CHANGED_KINDS.reduce((sum, name) => sum + changes[name].size, 0)
}

function merged(parts: LiveNews[]): LiveNews {
  const news: LiveNews = {}
  for (const { changed, grown } of parts) {
    if (changed) news.changed = { ...news.changed, ...changed }
    if (grown) news.grown = grown
  }
  return news
}
