import { LRUCache } from 'lru-cache'

import type { Logger } from '../../lib/logger.js'
import { SECOND } from '../../lib/time-units.js'
import type { Caller, Group } from '../access/caller.js'
import type { LiveNews } from '../ci/signals/live-news.js'
import type { TraceReaders } from '../ci/signals/trace-readers.js'
import type { WakeChannel } from '../ci/signals/wake-channel.js'
import type { TraceOwner, Traces } from '../ci/storage/traces.js'
import type { Audience } from './audience.js'
import { ChangePublisher } from './change-publisher.js'
import { changesSince } from './changes-since.js'
import type { Changes } from './changes.js'
import type { LiveEvent } from './live-event.js'
import type { LiveMetrics } from './live-metrics.js'
import { LivePeers } from './live-peers.js'
import type { LiveRecordDeps } from './live-records.js'
import { LiveStream, type LiveStreamDeps, type StreamStart, type StreamTimes } from './live-stream.js'
import { publishChanges, type PublishDeps } from './publish-changes.js'
import { publishRunners } from './publish-runners.js'
import type { TopicAccess } from './topic-access.js'
import { keyOf, nameOf, type PlannedTopic, type RunnersTopic, type Topic } from './topics.js'
import { TraceFollower } from './trace-follower.js'
import { WaitingReasons } from './waiting-reasons.js'

/** Times in milliseconds. */
export interface LiveTimes extends StreamTimes {
  /** Time between two messages about a job that waits. */
  waiting: number
}

export const LIVE_TIMES: LiveTimes = {
  comment: 15 * SECOND,
  check: 60 * SECOND,
  end: 15 * 60 * SECOND,
  waiting: 5 * SECOND,
}

export interface LiveHubDeps extends LiveRecordDeps {
  findGroup: (idOrPath: string) => Promise<Group | undefined>
  times: LiveTimes
  traces: Traces
  traceReaders: TraceReaders
  metrics: LiveMetrics
  logger: Logger
  /** Connects to the other coordinators on the store; absent = there are none. */
  channel?: Pick<WakeChannel, 'self' | 'notifyLive'> | undefined
}

export interface StreamRequest extends StreamStart {
  /** ID of the build of the pages. */
  build: string
  caller: Caller
  readCaller: () => Promise<Caller>
  accessTo: (topic: Topic, caller: Caller) => Promise<TopicAccess>
  onClosed: () => void
}

/** Minimum time between two publications, in milliseconds: changes are gathered in between. */
const GATHER = 50
const GATHER_RUNNERS = 500
const PUBLISHED_RECORDS = 1000
/** Time between two heartbeats, in milliseconds. */
const HEARTBEAT = 10 * SECOND

/**
 * The open streams of a coordinator, by topic. The engine reports what a committed transaction has changed;
 * the hub reads the records once and sends them to the streams. It does not poll, and a change without streams costs a
 * lookup in an empty map.
 */
export class LiveHub {
  private readonly streams = new Set<LiveStream>()
  private readonly byTopic = new Map<string, Set<LiveStream>>()
  private readonly followers = new Map<number, Set<TraceFollower>>()
  /** Topics about runners that streams have, by name. */
  private readonly runnersTopics = new Map<string, RunnersTopic>()
  /** Topics about lists of issues and merge requests that streams have, by name. */
  private readonly plannedTopics = new Map<string, PlannedTopic>()
  private readonly publisher: ChangePublisher
  private readonly runnersPublisher: ChangePublisher
  private readonly waiting: WaitingReasons
  private readonly peers: LivePeers | undefined
  private heartbeat: NodeJS.Timeout | undefined

  constructor(private readonly deps: LiveHubDeps) {
    const publish = (topics: readonly string[], event: LiveEvent) => this.send(topics, event)
    // The clients of the streams return, and compare what they have with the store.
    const common = { logger: deps.logger, onFailed: () => this.endStreams() }
    const publishing: PublishDeps = {
      ...deps,
      publish,
      has: (topic) => this.byTopic.has(topic),
      audiencesOf: (topic) => audiencesOf(this.byTopic.get(topic) ?? []),
      plannedTopics: () => [...this.plannedTopics.values()],
      published: new LRUCache({ max: PUBLISHED_RECORDS }),
    }
    this.publisher = new ChangePublisher({
      ...common,
      gather: GATHER,
      isWanted: () => this.byTopic.size > 0,
      publish: async (changes) => {
        for (const jobId of changes.jobs) this.wakeFollowers(jobId)
        await publishChanges(publishing, changes)
      },
    })
    const runnersTopics = () => [...this.runnersTopics.values()]
    this.runnersPublisher = new ChangePublisher({
      ...common,
      gather: GATHER_RUNNERS,
      isWanted: () => this.runnersTopics.size > 0,
      publish: (changes) => publishRunners({ ...deps, publish, runnersTopics }, changes),
    })
    this.waiting = new WaitingReasons({ ...deps, publish }, deps.times.waiting)
    this.peers = deps.channel && this.createPeers(deps.channel)
  }

  /** Called after a commit; does not throw. */
  changed(changes: Changes): void {
    this.publish(changes)
    this.peers?.changed(changes)
  }

  /** Called when bytes were added to a log; does not throw. `isBegin`: they are its first ones. */
  grown(job: TraceOwner, isBegin: boolean): void {
    this.wakeFollowers(job.id)
    this.peers?.grown(job)
    // The time at which a log began is part of the record of its job.
    if (isBegin) this.changed({ jobs: [job.id] })
  }

  /** Another coordinator, with this ID, has news. */
  receive(from: string, news: LiveNews): void {
    this.peers?.receive(from, news)
  }

  /** Listening to the other coordinators has started or resumed. */
  onListening(): void {
    this.peers?.onListening()
  }

  /** Number of open streams. */
  get streamCount(): number {
    return this.streams.size
  }

  open(request: StreamRequest): LiveStream {
    const stream: LiveStream = new LiveStream(
      this.streamDeps(request, () => stream),
      request.caller,
    )
    this.streams.add(stream)
    this.deps.metrics.setStreams(this.streams.size)
    this.heartbeat ??= setInterval(() => this.sendHeartbeat(), HEARTBEAT).unref()
    stream.open(request)
    this.sendHeartbeat()
    return stream
  }

  /** Ends all streams; their clients return, to this or another coordinator. */
  endStreams(): void {
    for (const stream of this.streams) stream.end()
  }

  /** Ends when everything that runs is done; call it before the store is closed. */
  async stop(): Promise<void> {
    clearInterval(this.heartbeat)
    this.endStreams()
    await this.publisher.stop()
    await this.runnersPublisher.stop()
    await this.waiting.stop()
    await this.peers?.stop()
  }

  private streamDeps(request: StreamRequest, stream: () => LiveStream): LiveStreamDeps {
    const { deps } = this
    return {
      ...request,
      times: deps.times,
      changesSince: (topic, since, viewer) => changesSince(deps, topic, since, viewer),
      follow: (job, offset, reader) => {
        const follower = new TraceFollower(deps, job, offset, reader)
        addTo(this.followers, job.id, follower)
        return follower
      },
      unfollow: (follower) => removeFrom(this.followers, follower.job.id, follower),
      subscribe: (topic) => {
        addTo(this.byTopic, keyOf(topic), stream())
        if (topic.kind === 'job') this.waiting.add(topic.id)
        if (topic.kind === 'runners') this.runnersTopics.set(nameOf(topic), topic)
        if (topic.kind === 'issues' || topic.kind === 'merge-requests')
          this.plannedTopics.set(nameOf(topic), topic)
      },
      unsubscribe: (topic) => {
        removeFrom(this.byTopic, keyOf(topic), stream())
        if (topic.kind === 'job') this.waiting.remove(topic.id)
        if (this.byTopic.has(keyOf(topic))) return
        this.runnersTopics.delete(nameOf(topic))
        this.plannedTopics.delete(nameOf(topic))
      },
      onSent: ({ kind }) => deps.metrics.countEvent(kind),
      onFailed: (error) => deps.logger.warn({ err: error }, 'A live stream ended because of an error'),
      onClosed: () => {
        this.streams.delete(stream())
        deps.metrics.setStreams(this.streams.size)
        request.onClosed()
      },
    }
  }

  private createPeers(channel: Pick<WakeChannel, 'self' | 'notifyLive'>): LivePeers {
    const { traces, traceReaders, logger } = this.deps
    return new LivePeers(
      {
        self: channel.self,
        send: (news) => channel.notifyLive(news),
        readableSize: (job) => traces.readableSize(job),
        logger,
      },
      {
        onChanged: (changes) => this.publish(changes),
        onGrown: (jobId, size) => this.wakeFollowers(jobId, size),
        onWatched: (jobIds) => jobIds.forEach((jobId) => traceReaders.recordRead(jobId)),
        onAsked: () => this.sendHeartbeat(),
        onMissed: () => {
          for (const stream of this.streams) stream.checkAll()
        },
      },
    )
  }

  private publish(changes: Changes): void {
    this.publisher.add(changes)
    this.runnersPublisher.add(changes)
  }

  private wakeFollowers(jobId: number, size?: number): void {
    this.followers.get(jobId)?.forEach((follower) => follower.wake(size))
  }

  /** Reports the logs that streams read to the coordinators that receive them, this one included. */
  private sendHeartbeat(): void {
    if (this.streams.size === 0) return
    const jobIds = [...this.followers.keys()]
    for (const jobId of jobIds) this.deps.traceReaders.recordRead(jobId)
    this.peers?.sendHeartbeat(jobIds)
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
