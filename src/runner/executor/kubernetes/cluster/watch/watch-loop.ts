import { messageOf } from '../../../../../lib/errors.js'
import type { Logger } from '../../../../../lib/logger.js'
import { pause, withJitter } from '../../../../../lib/pause.js'
import { SECOND } from '../../../../../lib/time-units.js'
import { ClusterError } from '../cluster.js'
import type { WatchEvent } from './watch-events.js'

const GONE = 410
const MAX_PAUSE = 30 * SECOND
/** A watch that lived longer than this was no failure, even if it reported nothing. */
const LONG_LIFE = 5 * SECOND
const FAILURES_OF_TROUBLE = 3

export interface WatchSteps<T> {
  /** Reads the current objects. Returns the version from which the watch must start. */
  list(signal: AbortSignal): Promise<string>
  /** The events after a version, until the API server ends the watch. */
  watch(resourceVersion: string, signal: AbortSignal): AsyncIterable<WatchEvent<T>>
  changed(object: T): void
  deleted(object: T): void
  /**
   * Called when the API server was not reached or refused the request, and when the connection of the watch was cut. May return
   * the milliseconds before the next attempt if it has reported the error itself.
   */
  failed(error: unknown): number | undefined
}

export interface WatchLoopOptions {
  /** Milliseconds before a watch that was cut begins again. Doubles after each further failure. */
  firstPause: number
  logger: Logger
  /** What is watched, for the log of the runner. */
  fields: { namespace: string; resource: string }
}

/**
 * Follows the objects of one kind in one namespace:
 *
 *     list ──▶ watch ──ended, or cut──▶ watch from the last version
 *      ▲                    │
 *      └──── 410: the version is no longer known
 */
export class WatchLoop<T> {
  /** Undefined before a list. */
  private version: string | undefined
  private failures = 0

  constructor(
    private readonly steps: WatchSteps<T>,
    private readonly options: WatchLoopOptions,
  ) {}

  /** Whether the objects were listed, so that the watch reports what changes. */
  get hasListed(): boolean {
    return this.version !== undefined
  }

  /** Resolves after `signal` has aborted. */
  async run(signal: AbortSignal): Promise<void> {
    do {
      const begin = performance.now()
      let milliseconds: number | undefined
      try {
        this.version ??= await this.steps.list(signal)
        await this.watch(this.version, signal)
        if (performance.now() - begin < LONG_LIFE) this.failures++
        else this.failures = 0
      } catch (error) {
        if (signal.aborted) return
        milliseconds = this.recordFailure(error)
      }
      if (this.failures > 0) await pause(milliseconds ?? this.nextPause(), signal)
    } while (!signal.aborted)
  }

  private async watch(version: string, signal: AbortSignal): Promise<void> {
    for await (const event of this.steps.watch(version, signal)) {
      this.failures = 0
      this.version = event.resourceVersion
      if (event.type === 'changed') this.steps.changed(event.object)
      else if (event.type === 'deleted') this.steps.deleted(event.object)
    }
  }

  private nextPause(): number {
    return withJitter(Math.min(this.options.firstPause * 2 ** (this.failures - 1), MAX_PAUSE))
  }

  private recordFailure(error: unknown): number | undefined {
    this.failures++
    if (error instanceof ClusterError && error.status === GONE) {
      this.version = undefined
      return undefined
    }
    const milliseconds = this.steps.failed(error)
    if (milliseconds !== undefined) return milliseconds
    const { fields, logger } = this.options
    const facts = { ...fields, error: messageOf(error) }
    const text = 'A watch of the cluster ended and is started again'
    // The connection of a watch may be cut at any time, so one failure is nothing to worry about.
    if (this.failures === FAILURES_OF_TROUBLE) logger.warn(facts, text)
    else logger.debug(facts, text)
    return undefined
  }
}
