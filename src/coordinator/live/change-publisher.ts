import { LRUCache } from 'lru-cache'

import type { Logger } from '../../lib/logger.js'
import { type Changes, GatheredChanges } from './changes.js'
import { publishChanges, type PublishDeps } from './publish-changes.js'

export interface ChangePublisherDeps extends Omit<PublishDeps, 'published'> {
  logger: Logger
  /** Whether a stream has a topic. */
  hasTopics: () => boolean
  /** Called with the jobs whose changes are about to be published. */
  onJobsChanged: (jobIds: Iterable<number>) => void
  /** Changes could not be read, so streams have missed them. */
  onFailed: () => void
}

/** Minimum time between two publications, in milliseconds: changes are gathered in between. */
const GATHER = 50
const PUBLISHED_RECORDS = 1000

/** Gathers changes and publishes them, one publication after the other. */
export class ChangePublisher {
  private readonly published = new LRUCache<number, string>({ max: PUBLISHED_RECORDS })
  private gathered: GatheredChanges | undefined
  private timer: NodeJS.Timeout | undefined
  private publishing: Promise<void> | undefined
  private publishedAt = 0

  constructor(private readonly deps: ChangePublisherDeps) {}

  add(changes: Changes): void {
    if (!this.deps.hasTopics()) return
    this.gathered ??= new GatheredChanges()
    this.gathered.add(changes)
    this.schedule()
  }

  /** Ends when the running publication is done. */
  async stop(): Promise<void> {
    clearTimeout(this.timer)
    this.gathered = undefined
    await this.publishing
  }

  private schedule(): void {
    if (this.timer || this.publishing) return
    const wait = Math.max(0, this.publishedAt + GATHER - Date.now())
    this.timer = setTimeout(() => this.publish(), wait)
  }

  private publish(): void {
    const { gathered } = this
    this.timer = undefined
    this.gathered = undefined
    if (!gathered || !this.deps.hasTopics()) return
    this.publishedAt = Date.now()
    this.deps.onJobsChanged(gathered.jobs)
    this.publishing = publishChanges({ ...this.deps, published: this.published }, gathered)
      .catch((error: unknown) => {
        this.deps.logger.warn({ err: error }, 'Failed to publish changes to live streams')
        this.deps.onFailed()
      })
      .finally(() => {
        this.publishing = undefined
        if (this.gathered) this.schedule()
      })
  }
}
