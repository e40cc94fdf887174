import type { Readable } from 'node:stream'

import type { Caller, User } from '../access/caller.js'
import type { TraceOwner } from '../ci/storage/traces.js'
import { viewerOf } from '../http/viewer.js'
import { type Cursor, formatCursor, parseCursor } from './cursor.js'
import { EventQueue } from './event-queue.js'
import { type LiveEvent, liveEvent } from './live-event.js'
import type { RefusedTopic } from './messages.js'
import type { GrantedTopic, TopicAccess } from './topic-access.js'
import { cursorKeyOf, nameOf, type Topic } from './topics.js'
import type { TraceFollower, TraceReader } from './trace-follower.js'

/** How long streams and their parts last, in milliseconds. */
export interface StreamTimes {
  /** Time between two comments, which keep the connection open. */
  comment: number
  /** Time between two checks of the rights of the caller. */
  check: number
  /** Time after which the stream ends. */
  end: number
}

export interface LiveStreamDeps {
  build: string
  times: StreamTimes
  /** The caller of the stream as of now. Throws if the credential is no longer valid. */
  readCaller: () => Promise<Caller>
  accessTo: (topic: Topic, caller: Caller) => Promise<TopicAccess>
  /** Events with what has changed in a topic since this time or version. */
  changesSince: (topic: Topic, since: number, viewer: User | undefined) => AsyncIterable<LiveEvent>
  /** Creates the follower of a log, from a byte on. */
  follow: (job: TraceOwner, offset: number, reader: TraceReader) => TraceFollower
  unfollow: (follower: TraceFollower) => void
  /** The stream receives the events of a topic between these calls. */
  subscribe: (topic: Topic) => void
  unsubscribe: (topic: Topic) => void
  onSent: (event: LiveEvent) => void
  /** An error ended the stream. */
  onFailed: (error: unknown) => void
  onClosed: () => void
}

export interface StreamStart {
  granted: GrantedTopic[]
  refused: RefusedTopic[]
  cursor: Cursor
}

/**
 * The events of one client. Between a client's last event and its return, nothing is recorded: its cursor says
 * what it has, and what has changed since is read from the store. The same happens when a client reads more
 * slowly than events arrive.
 *
 *     open ──▶ catching up ──▶ live ──▶ ended
 *                   ▲            │ the queue is full
 *                   └────────────┘
 *
 * Events that arrive while it catches up are sent afterwards, because those that are read from the store may
 * be older.
 */
export class LiveStream {
  private readonly queue = new EventQueue(() => this.onRoom())
  private readonly topics = new Map<string, Topic>()
  private readonly followers = new Map<number, TraceFollower>()
  /** Whether the caller may read a log that shows every variable, by job. */
  private readonly debugLogs = new Map<number, boolean>()
  /** The client has all changes until this time. */
  private time = 0
  /** Versions of topics that the client gave, until the stream has caught up. */
  private readonly versions = new Map<string, number>()
  private readonly offsets = new Map<number, number>()
  private readonly timers: NodeJS.Timeout[] = []
  /** Events that wait until the stream has caught up. Undefined while it is live. */
  private held: LiveEvent[] | undefined = []
  private mustRepeat = false
  private waitingForRoom: (() => void) | undefined

  constructor(
    private readonly deps: LiveStreamDeps,
    private caller: Caller,
  ) {
    this.queue.once('close', () => this.close())
  }

  /** The user of the stream; undefined for anonymous callers. */
  get viewer(): User | undefined {
    return viewerOf(this.caller)
  }

  get body(): Readable {
    return this.queue
  }

  /** Sends `hello`, what has changed since the cursor, and from then on all changes. */
  open({ granted, refused, cursor }: StreamStart): void {
    this.time = cursor.time ?? Date.now()
    for (const { topic, access } of granted) this.add(topic, access, cursor)
    this.queue.handedId = this.cursorText()
    const topics = [...this.topics.keys()]
    this.send(liveEvent('hello', { build: this.deps.build, topics, refused }))
    this.start()
    for (const follower of this.followers.values()) follower.wake()
    void this.catchUp()
  }

  /** Called with every event of its topics. */
  publish(event: LiveEvent): void {
    if (this.held) {
      this.hold(this.held, event)
      return
    }
    this.send(event)
    if (this.queue.isFull) this.fallBehind()
  }

  /** Changes of its topics may have been missed. */
  checkAll(): void {
    for (const follower of this.followers.values()) follower.wake()
    if (this.held) this.mustRepeat = true
    else {
      this.held = []
      void this.catchUp()
    }
  }

  /** Ends the stream after the events that it has. */
  end(): void {
    this.queue.finish()
  }

  private add(topic: Topic, { log }: GrantedTopic['access'], cursor: Cursor): void {
    this.topics.set(nameOf(topic), topic)
    this.deps.subscribe(topic)
    const key = cursorKeyOf(topic)
    const version = key === undefined ? undefined : cursor.versions.get(key)
    if (key !== undefined && version !== undefined) this.versions.set(key, version)
    if (topic.kind !== 'trace' || !log) return
    const offset = cursor.offsets.get(topic.id) ?? topic.offset
    this.offsets.set(topic.id, offset)
    this.debugLogs.set(topic.id, log.readsDebugLogs)
    const follower = this.deps.follow({ id: topic.id, project_id: log.projectId }, offset, {
      hasRoom: () => this.queue.hasRoom,
      readsDebugLogs: () => this.debugLogs.get(topic.id) ?? false,
      send: (event) => this.send(event),
      refuse: () => this.refuse([{ topic, status: 403 }]),
      fail: (error) => this.fail(error),
    })
    this.followers.set(topic.id, follower)
  }

  private start(): void {
    const { comment, check, end } = this.deps.times
    const addComment = () => this.queue.isIdle && this.queue.add(': \n\n', this.queue.handedId)
    this.timers.push(
      setInterval(addComment, comment),
      setInterval(() => void this.check().catch((error: unknown) => this.fail(error)), check),
      setTimeout(() => this.end(), end),
    )
  }

  private send(event: LiveEvent): void {
    if (this.queue.isOver) return
    if (this.held === undefined && event.asOf !== undefined) this.time = Math.max(this.time, event.asOf)
    if (event.position) this.offsets.set(event.position.jobId, event.position.offset)
    const id = this.cursorText()
    this.queue.add(`event: ${event.name}\nid: ${id}\ndata: ${event.data}\n\n`, id)
    this.deps.onSent(event)
  }

  private cursorText(): string {
    const { time, versions, offsets } = this
    return formatCursor({ time, versions, offsets })
  }

  private hold(held: LiveEvent[], event: LiveEvent): void {
    held.push(event)
    if (held.length <= MAX_HELD) return
    this.held = []
    this.mustRepeat = true
  }

  /** Drops the events that the connection has not taken, and reads their changes from the store when it has room. */
  private fallBehind(): void {
    this.queue.clear()
    const handed = parseCursor(this.queue.handedId)
    this.time = handed.time ?? this.time
    for (const [key, version] of handed.versions) this.versions.set(key, version)
    for (const [jobId, follower] of this.followers) {
      const offset = handed.offsets.get(jobId)
      if (offset === undefined) continue
      this.offsets.set(jobId, offset)
      follower.rewind(offset)
    }
    this.checkAll()
  }

  private async catchUp(): Promise<void> {
    const startedAt = Date.now()
    try {
      for (const topic of [...this.topics.values()]) await this.catchUpWith(topic)
    } catch (error) {
      this.fail(error)
      return
    }
    if (this.mustRepeat) {
      this.mustRepeat = false
      return this.catchUp()
    }
    const held = this.held ?? []
    this.held = undefined
    this.versions.clear()
    this.time = Math.max(this.time, startedAt)
    for (const event of held) this.publish(event)
  }

  private async catchUpWith(topic: Topic): Promise<void> {
    const since = this.versions.get(cursorKeyOf(topic) ?? '') ?? this.time
    for await (const event of this.deps.changesSince(topic, since, this.viewer)) {
      if (!this.queue.hasRoom) await this.room()
      if (this.queue.isOver || !this.topics.has(nameOf(topic))) return
      this.send(event)
    }
  }

  /** Ends when the client has read, or has gone. */
  private room(): Promise<void> {
    return new Promise((resolve) => {
      if (this.queue.isOver) resolve()
      else this.waitingForRoom = resolve
    })
  }

  private onRoom(): void {
    this.waitingForRoom?.()
    this.waitingForRoom = undefined
    for (const follower of this.followers.values()) follower.onRoom()
  }

  /** Ends the stream, or topics of it, when the caller has lost the right to read them. */
  private async check(): Promise<void> {
    const caller = await this.deps.readCaller()
    this.caller = caller
    const refused: { topic: Topic; status: RefusedTopic['status'] }[] = []
    for (const topic of [...this.topics.values()]) {
      const access = await this.deps.accessTo(topic, caller)
      if (access.refused !== undefined) refused.push({ topic, status: access.refused })
      else if (access.log) this.debugLogs.set(topic.id, access.log.readsDebugLogs)
    }
    if (refused.length > 0) this.refuse(refused)
  }

  private refuse(refused: { topic: Topic; status: RefusedTopic['status'] }[]): void {
    for (const { topic } of refused) this.remove(topic)
    const topics = refused.map(({ topic, status }) => ({ topic: nameOf(topic), status }))
    this.send(liveEvent('refused', { topics }))
    if (this.topics.size === 0) this.end()
  }

  private remove(topic: Topic): void {
    this.deps.unsubscribe(topic)
    this.topics.delete(nameOf(topic))
    this.versions.delete(cursorKeyOf(topic) ?? '')
    if (topic.kind !== 'trace') return
    this.offsets.delete(topic.id)
    const follower = this.followers.get(topic.id)
    if (!follower) return
    follower.close()
    this.deps.unfollow(follower)
    this.followers.delete(topic.id)
  }

  private fail(error: unknown): void {
    if (!this.queue.isOver) this.deps.onFailed(error)
    this.end()
  }

  private close(): void {
    for (const timer of this.timers) clearInterval(timer)
    for (const topic of [...this.topics.values()]) this.remove(topic)
    this.waitingForRoom?.()
    this.deps.onClosed()
  }
}

/** Maximum number of events that wait until a stream has caught up. */
const MAX_HELD = 500
