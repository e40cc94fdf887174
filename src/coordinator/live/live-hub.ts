import { LRUCache } from 'lru-cache'

import type { Logger } from '../../lib/logger.js'
import type { Caller } from '../access/caller.js'
import type { LiveNews } from '../ci/signals/live-news.js'
import type { TraceReaders } from '../ci/signals/trace-readers.js'
import type { WakeChannel } from '../ci/signals/wake-channel.js'
import type { TraceOwner, Traces } from '../ci/storage/traces.js'
import { changesSince, versionOf } from './changes-since.js'
import { type Changes, GatheredChanges } from './changes.js'
import type { Cursor } from './cursor.js'
import type { LiveEvent } from './live-event.js'
import type { LiveMetrics } from './live-metrics.js'
import { LivePeers } from './live-peers.js'
import type { RecordDeps } from './live-records.js'
import { LiveStream, type StreamTimes } from './live-stream.js'
import type { RefusedTopic } from './messages.js'
import { type Audience, publishChanges } from './publish-changes.js'
import type { GrantedTopic, TopicAccess } from './topic-access.js'
import { nameOf, type Topic } from './topics.js'
import { TraceFollower, type TraceReader } from './trace-follower.js'

export interface LiveHubDeps extends RecordDeps {
  times: StreamTimes
  traces: Traces
  traceReaders: TraceReaders
  metrics: LiveMetrics
  /** To the other coordinators on the store; absent = there are none. */
  channel?: Pick<WakeChannel, 'self' | 'notifyLive'> | undefined
  logger: Logger
}

export interface StreamRequest {
  /** ID of the build of the pages. */
  build: string
  caller: Caller
  granted: GrantedTopic[]
  refused: RefusedTopic[]
  cursor: Cursor
  readCaller: () => Promise<Caller>
  accessTo: (topic: Topic, caller: Caller) => Promise<TopicAccess>
  onClosed: () => void
}

/** Minimum time between two publications, in milliseconds: changes are gathered in between. */
const GATHER = 50
const PUBLISHED_RECORDS = 1000
/** Time between two announcements of the logs that streams read, in milliseconds. */
const ANNOUNCE = 10_000

/**
 * The open streams of a coordinator, by topic. Engine and runners tell the hub what a committed transaction
 * has changed; the hub reads the records once and sends them to the streams. Nothing is polled, and without
 * streams a change costs a look into an empty map.
 */
export class LiveHub {
  private readonly streams = new Set<LiveStream>()
  private readonly byTopic = new Map<string, Set<LiveStream>>()
  private readonly followers = new Map<number, Set<TraceFollower>>()
  private readonly published = new LRUCache<number, string>({ max: PUBLISHED_RECORDS })
  private gathered: GatheredChanges | undefined
  private timer: NodeJS.Timeout | undefined
  private publishing: Promise<void> | undefined
  private publishedAt = 0
  private readonly peers: LivePeers | undefined
  private announcing: NodeJS.Timeout | undefined

  constructor(private readonly deps: LiveHubDeps) {
    const { channel, traces, traceReaders, logger } = deps
    if (!channel) return
    this.peers = new LivePeers(
      {
        self: channel.self,
        send: (news) => channel.notifyLive(news),
        readableSize: (job) => traces.readableSize(job),
        logger,
      },
      {
        onChanged: (changes) => this.gather(changes),
        onGrown: (jobId, size) => this.wakeFollowers(jobId, size),
        onWatched: (jobIds) => jobIds.forEach((jobId) => traceReaders.recordRead(jobId)),
        onAsked: () => this.announce(),
        onMissed: () => this.checkStreams(),
      },
    )
  }

  /** Called after a commit; does not throw. */
  changed(changes: Changes): void {
    this.gather(changes)
    this.peers?.changed(changes)
  }

  /** Called when bytes were added to a log; does not throw. */
  grown(job: TraceOwner): void {
    this.wakeFollowers(job.id)
    this.peers?.grown(job)
  }

  /** Another coordinator, with this ID, has news. */
  receive(from: string, news: LiveNews): void {
    this.peers?.receive(from, news)
  }

  /** Listening to the other coordinators has started or resumed. */
  onListening(): void {
    this.peers?.onListening()
  }

  async open(request: StreamRequest): Promise<LiveStream> {
    const { deps } = this
    const stream: LiveStream = new LiveStream(
      {
        ...request,
        times: deps.times,
        versionOf: (topic) => versionOf(deps, topic),
        changesSince: (topic, version, viewer) => changesSince(deps, topic, version, viewer),
        follow: (job, offset, reader) => this.follow(job, offset, reader),
        unfollow: (follower) => removeFrom(this.followers, follower.job.id, follower),
        subscribe: (topic) => addTo(this.byTopic, nameOf(topic), stream),
        unsubscribe: (topic) => removeFrom(this.byTopic, nameOf(topic), stream),
        onSent: (event) => deps.metrics.countEvent(event.kind),
        onFailed: (error) => deps.logger.warn({ err: error }, 'A live stream ended because of an error'),
        onClosed: () => {
          this.streams.delete(stream)
          deps.metrics.setStreams(this.streams.size)
          request.onClosed()
        },
      },
      request.caller,
    )
    this.streams.add(stream)
    deps.metrics.setStreams(this.streams.size)
    this.announcing ??= setInterval(() => this.announce(), ANNOUNCE).unref()
    try {
      await stream.open(request)
      this.announce()
    } catch (error) {
      stream.body.destroy()
      throw error
    }
    return stream
  }

  /** Ends all streams; their clients return, to this or another coordinator. */
  endStreams(): void {
    for (const stream of this.streams) stream.end()
  }

  /** Ends when the running publication is done; call it before the store is closed. */
  async stop(): Promise<void> {
    clearTimeout(this.timer)
    clearInterval(this.announcing)
    this.gathered = undefined
    this.endStreams()
    await this.publishing
    await this.peers?.stop()
  }

  private follow(job: TraceOwner, offset: number, reader: TraceReader): TraceFollower {
    const follower = new TraceFollower(this.deps, job, offset, reader)
    addTo(this.followers, job.id, follower)
    return follower
  }

  private wakeFollowers(jobId: number, size?: number): void {
    this.followers.get(jobId)?.forEach((follower) => follower.wake(size))
  }

  private checkStreams(): void {
    for (const stream of this.streams) stream.checkAll()
  }

  /** Tells the takers of logs, here and elsewhere, that streams read them. */
  private announce(): void {
    if (this.streams.size === 0) return
    const jobIds = [...this.followers.keys()]
    for (const jobId of jobIds) this.deps.traceReaders.recordRead(jobId)
    this.peers?.announce(jobIds)
  }

  private gather(changes: Changes): void {
    if (this.byTopic.size === 0) return
    this.gathered ??= new GatheredChanges()
    this.gathered.add(changes)
    if (this.timer || this.publishing) return
    const wait = Math.max(0, this.publishedAt + GATHER - Date.now())
    this.timer = setTimeout(() => this.publish(), wait)
  }

  private publish(): void {
    const { gathered } = this
    this.timer = undefined
    this.gathered = undefined
    if (!gathered || this.byTopic.size === 0) return
    this.publishedAt = Date.now()
    for (const jobId of gathered.jobs) this.wakeFollowers(jobId)
    this.publishing = publishChanges(
      {
        ...this.deps,
        has: (topic) => this.byTopic.has(topic),
        audiencesOf: (topic) => audiencesOf(this.byTopic.get(topic) ?? []),
        publish: (topics, event) => this.send(topics, event),
        published: this.published,
      },
      gathered,
    )
      .catch((error: unknown) => this.restart(error))
      .finally(() => {
        this.publishing = undefined
        if (this.gathered) this.gather({})
      })
  }

  /** Without the failed publication, all streams compare their topics with the store. */
  private restart(error: unknown): void {
    this.deps.logger.warn({ err: error }, 'Failed to publish changes to live streams')
    for (const stream of this.streams) stream.end()
  }

  private send(topics: readonly string[], event: LiveEvent): void {
    const streams = new Set(topics.flatMap((topic) => [...(this.byTopic.get(topic) ?? [])]))
    for (const stream of streams) stream.publish(event)
  }
}

function audiencesOf(streams: Iterable<LiveStream>): Audience[] {
  const byUser = new Map<number, LiveStream[]>()
  for (const stream of streams) {
    const id = stream.viewer?.id ?? 0
    byUser.set(id, [...(byUser.get(id) ?? []), stream])
  }
  return [...byUser.values()].map((ofUser) => ({
    viewer: ofUser[0]?.viewer,
    publish: (event) => ofUser.forEach((stream) => stream.publish(event)),
  }))
}

function addTo<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const set = sets.get(key)
  if (set) set.add(value)
  else sets.set(key, new Set([value]))
}

function removeFrom<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const set = sets.get(key)
  set?.delete(value)
  if (set?.size === 0) sets.delete(key)
}
