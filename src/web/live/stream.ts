import { queryOf } from '../../addresses/address-of.js'
import type { LiveEventName, LiveMessages } from '../../coordinator/live/messages.js'

export type LiveHandlers = {
  [Name in LiveEventName]?: (message: LiveMessages[Name]) => void
}

/** One part of the page that follows topics. */
export interface Subscription {
  topics: readonly string[]
  handlers: LiveHandlers
  /** Reads again what the topics are about: some changes were not sent, or the page was hidden. */
  resync: () => void
}

/** `lost` if the stream has been away for longer than the reader should not notice. */
export type Connection = 'none' | 'open' | 'opening' | 'lost'

const EVENT_NAMES: LiveEventName[] = [
  'hello',
  'pipeline',
  'pipeline-deleted',
  'project',
  'jobs',
  'job',
  'waiting',
  'trace',
  'trace-end',
  'todos',
  'issue',
  'merge-request',
  'epic',
  'snippet',
  'issue-deleted',
  'merge-request-deleted',
  'epic-deleted',
  'snippet-deleted',
  'wiki',
  'runner',
  'runner-deleted',
  'queue',
  'refused',
  'reset',
]
const GATHERED_MILLISECONDS = 30
const LOST_AFTER = 3000
const HIDDEN_AFTER = 10_000
const HIDDEN_INTERVAL = 20_000
const MAX_DELAY = 30_000

/**
 * The stream of this tab: one connection for all that the page follows. It opens with the first topic, resumes where it
 * was when it breaks or the topics change, and closes while the tab is hidden, because a browser opens few connections to
 * one server.
 */
export class LiveStream {
  connection: Connection = 'none'

  private readonly subscriptions = new Set<Subscription>()
  private source: EventSource | undefined
  private openTopics = ''
  private cursor: string | undefined
  /** Without a cursor, what has changed since this time is sent; in milliseconds since 1970, by the clock of the server. */
  private since: number | undefined
  private attempts = 0
  private change: ReturnType<typeof setTimeout> | undefined
  private retry: ReturnType<typeof setTimeout> | undefined
  private lost: ReturnType<typeof setTimeout> | undefined
  private hidden: ReturnType<typeof setTimeout> | undefined
  private isResting = false

  /** @param serverTime now, by the clock of the server; `pageTime` is when it sent the page */
  constructor(
    private readonly onConnection: (connection: Connection) => void,
    private readonly onBuild: (build: string) => void,
    private readonly serverTime: () => number,
    pageTime: number,
  ) {
    this.since = pageTime
    document.addEventListener('visibilitychange', () => this.seen())
    window.addEventListener('online', () => this.open())
  }

  /** Follows topics until the function that it returns is called. */
  follow(subscription: Subscription): () => void {
    this.subscriptions.add(subscription)
    this.since ??= this.serverTime()
    this.changeTopics()
    return () => {
      this.subscriptions.delete(subscription)
      this.changeTopics()
    }
  }

  private changeTopics(): void {
    this.change ??= setTimeout(() => {
      this.change = undefined
      if (this.topics() !== this.openTopics || !this.source) this.open()
    }, GATHERED_MILLISECONDS)
  }

  private topics(): string {
    return [...new Set([...this.subscriptions].flatMap(({ topics }) => topics))].toSorted().join(',')
  }

  private open(): void {
    clearTimeout(this.retry)
    this.source?.close()
    this.source = undefined
    this.openTopics = this.topics()
    if (this.openTopics === '') {
      this.cursor = undefined
      this.since = undefined
      this.set('none')
      return
    }
    if (this.isResting) return
    if (this.connection === 'none') this.set('opening')
    // The page reads before the stream is open, which may take seconds.
    const cursor = this.cursor ?? (this.since === undefined ? undefined : `v=${Math.floor(this.since)}`)
    const source = new EventSource(`/api/v4/live${queryOf({ topics: this.openTopics, cursor })}`)
    this.source = source
    source.onopen = () => {
      this.attempts = 0
      clearTimeout(this.lost)
      this.lost = undefined
      this.set('open')
    }
    source.onerror = () => this.failed(source)
    for (const name of EVENT_NAMES) {
      source.addEventListener(name, (event) => this.received(name, event as MessageEvent<string>))
    }
  }

  private received(name: LiveEventName, { data, lastEventId }: MessageEvent<string>): void {
    if (lastEventId !== '') this.cursor = lastEventId
    const message = JSON.parse(data) as never
    if (name === 'hello') this.onBuild((message as LiveMessages['hello']).build)
    const lostTopics = name === 'reset' ? (message as LiveMessages['reset']).topics : []
    for (const { topics, handlers, resync } of this.subscriptions) {
      const handler = handlers[name] as ((message: never) => void) | undefined
      handler?.(message)
      if (lostTopics.some((lost) => topics.some((topic) => topic === lost || topic.startsWith(`${lost}/`))))
        resync()
    }
  }

  private failed(source: EventSource): void {
    if (source !== this.source) return
    source.close()
    this.source = undefined
    if (this.connection === 'open') this.set('opening')
    this.lost ??= setTimeout(() => this.set('lost'), LOST_AFTER)
    const delay = this.attempts === 0 ? Math.random() * 500 : Math.min(MAX_DELAY, 500 * 2 ** this.attempts)
    this.attempts += 1
    clearTimeout(this.retry)
    this.retry = setTimeout(() => this.open(), delay)
  }

  /** The tab was hidden or is shown again. */
  private seen(): void {
    clearTimeout(this.hidden)
    if (document.hidden) {
      this.hidden = setTimeout(() => this.rest(), HIDDEN_AFTER)
    } else if (this.isResting) {
      this.isResting = false
      this.open()
    }
  }

  private rest(): void {
    this.isResting = true
    this.source?.close()
    this.source = undefined
    clearTimeout(this.retry)
    clearTimeout(this.lost)
    this.lost = undefined
    const read = () => {
      if (!this.isResting) return
      for (const { resync } of this.subscriptions) resync()
      this.hidden = setTimeout(read, HIDDEN_INTERVAL)
    }
    this.hidden = setTimeout(read, HIDDEN_INTERVAL)
  }

  private set(connection: Connection): void {
    if (connection === this.connection) return
    this.connection = connection
    this.onConnection(connection)
  }
}
