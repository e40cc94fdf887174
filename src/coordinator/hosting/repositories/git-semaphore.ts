import { availableParallelism } from 'node:os'

import PQueue from 'p-queue'

import { GitBusyError } from './errors.js'

/** Maximum number of concurrent git processes of this coordinator, in each pool. */
export interface GitSemaphoreSettings {
  processes: number
  /** Maximum per repository, so that no repository delays the others. */
  perRepository: number
}

export const DEFAULT_GIT_SLOTS: GitSemaphoreSettings = {
  processes: Math.max(16, 4 * availableParallelism()),
  perRepository: Math.max(8, 2 * availableParallelism()),
}

/**
 * What a git process runs for. Each pool has its own slots, so no pool waits for another:
 *
 * - `reading`: fetches, and API reads of a repository;
 * - `writing`: pushes, and commits, branches and tags over the API;
 * - `inner`: work that follows a push, and what pipelines, jobs and webhooks read. Short, so no reader or task delays a
 *   pipeline;
 * - `tasks`: imports, exports, mirrors and housekeeping, which may take hours.
 */
export type GitPool = 'reading' | 'writing' | 'inner' | 'tasks'

/** Receives how long git waited and worked, in milliseconds. Its methods must not throw. */
export interface GitTimings {
  /** The wait for a slot. */
  waited: (pool: GitPool, milliseconds: number) => void
  /** From a slot until its release; `objects`: a read by an open process, which takes no slot. */
  worked: (pool: GitPool | 'objects', milliseconds: number) => void
}

/** Maximum number of waiters per pool and repository; more are refused. */
const MAX_WAITING = 2000

/**
 * Limits the number of concurrent git processes, per repository and for the coordinator. A holder of a slot must not
 * acquire a second one: all holders could then wait for each other.
 *
 *     acquire ──▶ slot of the repository ──▶ slot of the coordinator ──▶ git runs ──▶ release
 */
export class GitSemaphore {
  private readonly pools: Record<GitPool, PQueue>
  /** Queues by pool and repository; only those in use. */
  private readonly repositories = new Map<string, PQueue>()

  constructor(
    private readonly settings: GitSemaphoreSettings = DEFAULT_GIT_SLOTS,
    readonly timings?: GitTimings,
  ) {
    const newPool = (): PQueue => new PQueue({ concurrency: settings.processes })
    this.pools = { reading: newPool(), writing: newPool(), inner: newPool(), tasks: newPool() }
  }

  /**
   * Waits for a slot. The returned function releases it; a second call does nothing. Throws `GitBusyError` if
   * too many callers wait, and the reason of `signal` if it aborts first.
   */
  async acquire(gitDir: string, pool: GitPool, signal: AbortSignal): Promise<() => void> {
    const key = `${pool} ${gitDir}`
    const own = this.queueOf(key)
    if (own.size + this.pools[pool].size >= MAX_WAITING) throw new GitBusyError()
    const asked = performance.now()
    const releaseOwn = await slotIn(own, signal)
    const release = (): void => {
      releaseOwn()
      void own.onIdle().then(() => this.deleteIdle(key, own))
    }
    try {
      const releasePool = await slotIn(this.pools[pool], signal)
      const begun = performance.now()
      this.timings?.waited(pool, begun - asked)
      let isReleased = false
      return () => {
        if (!isReleased) this.timings?.worked(pool, performance.now() - begun)
        isReleased = true
        releasePool()
        release()
      }
    } catch (error) {
      release()
      throw error
    }
  }

  private queueOf(key: string): PQueue {
    const queue = this.repositories.get(key) ?? new PQueue({ concurrency: this.settings.perRepository })
    this.repositories.set(key, queue)
    return queue
  }

  private deleteIdle(key: string, queue: PQueue): void {
    if (queue.size + queue.pending === 0 && this.repositories.get(key) === queue)
      this.repositories.delete(key)
  }
}

/** An abort while waiting leaves the queue. An abort while git runs ends git, which then releases the slot. */
async function slotIn(queue: PQueue, signal: AbortSignal): Promise<() => void> {
  signal.throwIfAborted()
  const waiting = new AbortController()
  const leave = (): void => waiting.abort(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await new Promise((resolve, reject) => {
      const slot = (): Promise<void> => new Promise((release) => resolve(release))
      queue.add(slot, { signal: waiting.signal }).catch(reject)
    })
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
