import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import pg from 'pg'

import { chunks } from '../../../lib/chunks.js'
import type { Logger } from '../../../lib/logger.js'
import { pause, withJitter } from '../../../lib/pause.js'
import type { Database } from '../../database/connect.js'

const CHANNEL = 'switchyard_jobs'
/** A notification holds at most 8000 bytes. */
const IDS_PER_MESSAGE = 300
const RECONNECT_MILLISECONDS = 1000

export interface WakeChannelDeps {
  /** Of PostgreSQL; the channel keeps one connection of its own to listen. */
  url: string
  /** For what is sent, so that it goes out also while the listening connection is being made again. */
  database: Database
  logger: Logger
  /** Another coordinator announced jobs. */
  onJobs: (jobIds: number[]) => void
  /** Another coordinator has taken jobs from their runners, or wants them to end. */
  onRunnersConcerned: (jobIds: number[]) => void
  /** Listening began, at first or again: what was announced before may have been missed. */
  onListening: () => void
}

interface Message {
  from: string
  /** Jobs that became pending. */
  jobs?: number[]
  /** Jobs whose runners are to look at them. */
  concerned?: number[]
}

/** News of jobs between the coordinator processes on one PostgreSQL (architecture, decision 6). */
export class WakeChannel {
  private readonly self = randomUUID()
  private readonly stopping = new AbortController()
  private readonly stopped = new Promise<void>((resolve) =>
    this.stopping.signal.addEventListener('abort', () => resolve()),
  )
  private running: Promise<void> | undefined

  constructor(private readonly deps: WakeChannelDeps) {}

  /** Begins to listen; a connection that cannot be made or breaks is made again until `stop`. */
  start(): void {
    this.running ??= this.run()
  }

  /** Ends when the connection is closed; may be called twice. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
  }

  async announce(jobIds: number[]): Promise<void> {
    for (const jobs of chunks(jobIds, IDS_PER_MESSAGE)) await this.send({ jobs })
  }

  async notifyRunners(jobIds: number[]): Promise<void> {
    for (const concerned of chunks(jobIds, IDS_PER_MESSAGE)) await this.send({ concerned })
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

  /** Ends when `signal` aborts; throws when the connection cannot be made or is lost. */
  private async listenOnce(signal: AbortSignal): Promise<void> {
    const client = new pg.Client({ connectionString: this.deps.url, keepAlive: true })
    const broken = new Promise<never>((_resolve, reject) => {
      client.once('error', reject)
      client.once('end', () => reject(new Error('The connection was closed')))
    })
    // Whoever loses the race below must not surface as an unhandled rejection.
    broken.catch(() => undefined)
    client.on('notification', ({ payload }) => this.receive(payload))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      if (signal.aborted) return
      this.deps.onListening()
      await Promise.race([broken, this.stopped])
    } finally {
      await client.end()
    }
  }

  private receive(payload: string | undefined): void {
    const { from, jobs, concerned } = JSON.parse(payload ?? '{}') as Partial<Message>
    if (from === this.self) return
    if (jobs) this.deps.onJobs(jobs)
    if (concerned) this.deps.onRunnersConcerned(concerned)
  }
}
