import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'

import { sql } from 'kysely'
import pg from 'pg'

import { chunks } from '../../../lib/chunks.js'
import type { Logger } from '../../../lib/logger.js'
import { pause, withJitter } from '../../../lib/pause.js'
import type { Database } from '../../database/connect.js'
import type { LiveNews } from './live-news.js'
import type { TerminalNews } from './terminal-news.js'

const CHANNEL = 'switchyard_jobs'
/** The payload of a notification is limited to 8000 bytes. */
const IDS_PER_MESSAGE = 300
const RECONNECT_MILLISECONDS = 1000

export interface WakeChannelDeps {
  /** URL of PostgreSQL; the channel listens on a dedicated connection. */
  url: string
  /** Used for sending, so that notifications are also sent while the listening connection is re-established. */
  database: Database
  logger: Logger
}

interface ChannelEvents {
  /** Another coordinator sent a notification about jobs. */
  jobs: [jobIds: number[]]
  /** Another coordinator has requeued jobs of runners, or requests their end. */
  runnersConcerned: [jobIds: number[]]
  /** Another coordinator has changed application settings. */
  settingsChanged: []
  /** Another coordinator, with this ID, has news for live streams. */
  live: [from: string, news: LiveNews]
  /** Another coordinator has a part of a terminal. */
  terminal: [news: TerminalNews]
  /** Listening started or resumed: earlier notifications may have been missed. */
  listening: []
}

interface Message {
  from: string
  /** Jobs that became pending. */
  jobs?: number[]
  /** Jobs that their runners must check. */
  concerned?: number[]
  /** Application settings have changed. */
  settings?: true
  live?: LiveNews
  terminal?: TerminalNews
}

/** News of jobs, settings and live streams between the coordinator processes on one PostgreSQL (architecture, decision 6). */
export class WakeChannel extends EventEmitter<ChannelEvents> {
  /** ID of this coordinator. */
  readonly self = randomUUID()
  private readonly stopping = new AbortController()
  private readonly stopped = new Promise<void>((resolve) =>
    this.stopping.signal.addEventListener('abort', () => resolve()),
  )
  private running: Promise<void> | undefined

  constructor(private readonly deps: WakeChannelDeps) {
    super()
  }

  /** Starts to listen. Reconnects until `stop`. */
  start(): void {
    this.running ??= this.run()
  }

  /** Ends when the connection is closed; may be called twice. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
  }

  async notify(jobIds: number[]): Promise<void> {
    for (const jobs of chunks(jobIds, IDS_PER_MESSAGE)) await this.send({ jobs })
  }

  async notifyRunners(jobIds: number[]): Promise<void> {
    for (const concerned of chunks(jobIds, IDS_PER_MESSAGE)) await this.send({ concerned })
  }

  async notifySettings(): Promise<void> {
    await this.send({ settings: true })
  }

  /** `news` must be shorter than 7900 bytes as JSON. */
  async notifyLive(news: LiveNews): Promise<void> {
    await this.send({ live: news })
  }

  /** `news` must be shorter than 7900 bytes as JSON. */
  async notifyTerminal(news: TerminalNews): Promise<void> {
    await this.send({ terminal: news })
  }

  private async send(news: Omit<Message, 'from'>): Promise<void> {
    const message: Message = { from: this.self, ...news }
    await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(message)})`.execute(this.deps.database)
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      try {
        await this.listenOnce(signal)
      } catch (error) {
        this.deps.logger.warn({ err: error }, 'Lost the database connection for notifications; reconnecting')
        await pause(withJitter(RECONNECT_MILLISECONDS), signal)
      }
    }
  }

  /** Ends when `signal` aborts. Throws if the connection fails or is lost. */
  private async listenOnce(signal: AbortSignal): Promise<void> {
    const client = new pg.Client({ connectionString: this.deps.url, keepAlive: true })
    const broken = new Promise<never>((_resolve, reject) => {
      client.once('error', reject)
      client.once('end', () => reject(new Error('The connection was closed')))
    })
    // The loser of the race below must not become an unhandled rejection.
    broken.catch(() => undefined)
    client.on('notification', ({ payload }) => this.receive(payload))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      if (signal.aborted) return
      this.emit('listening')
      await Promise.race([broken, this.stopped])
    } finally {
      await client.end()
    }
  }

  private receive(payload: string | undefined): void {
    const { from, jobs, concerned, settings, live, terminal } = JSON.parse(
      payload ?? '{}',
    ) as Partial<Message>
    if (from === undefined || from === this.self) return
    if (jobs) this.emit('jobs', jobs)
    if (concerned) this.emit('runnersConcerned', concerned)
    if (settings) this.emit('settingsChanged')
    if (live) this.emit('live', from, live)
    if (terminal) this.emit('terminal', terminal)
  }
}
