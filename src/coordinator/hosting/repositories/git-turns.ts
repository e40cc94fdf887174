import { availableParallelism } from 'node:os'

import PQueue from 'p-queue'

import { GitBusyError } from './errors.js'

/** How many git processes this coordinator has at once, in each lane. */
export interface GitTurnSettings {
  processes: number
  /** Of one repository, so that none keeps the others waiting. */
  perRepository: number
}

export const DEFAULT_GIT_TURNS: GitTurnSettings = {
  processes: Math.max(16, 4 * availableParallelism()),
  perRepository: Math.max(8, 2 * availableParallelism()),
}

/**
 * Whose git it is. Each lane has all of its places to itself, so that nobody waits for those of another:
 *
 * - `reading`: fetches, and what the API answers out of a repository;
 * - `writing`: pushes, and commits, branches and tags over the API;
 * - `inner`: what follows from a push, and what pipelines, their jobs and hooks need. Short, so that no reader and no task
 *   keeps a pipeline waiting;
 * - `tasks`: imports, exports, mirrors and tidying up, which may take hours.
 */
export type GitLane = 'reading' | 'writing' | 'inner' | 'tasks'

/** Who comes after so many is sent away: nobody waits for the last of them. */
const MOST_WAITING = 2000

/**
 * Lets few git processes run at a time, each in its turn: first among those of its repository, then among all. Whoever has a
 * turn asks for no second one before it is over, or all who have one could wait for each other.
 *
 *     take ──▶ place of the repository ──▶ place of the coordinator ──▶ git runs ──▶ release
 */
export class GitTurns {
  private readonly lanes: Record<GitLane, PQueue>
  /** By lane and folder; only those that are in use. */
  private readonly repositories = new Map<string, PQueue>()

  constructor(private readonly settings: GitTurnSettings = DEFAULT_GIT_TURNS) {
    const newLane = (): PQueue => new PQueue({ concurrency: settings.processes })
    this.lanes = { reading: newLane(), writing: newLane(), inner: newLane(), tasks: newLane() }
  }

  /**
   * Waits for a turn, which the answered function ends; calling it again does nothing. Throws `GitBusyError` where too many
   * wait, and the reason of `signal` when it aborts before.
   */
  async take(gitDir: string, lane: GitLane, signal: AbortSignal): Promise<() => void> {
    const key = `${lane} ${gitDir}`
    const own = this.queueOf(key)
    if (own.size + this.lanes[lane].size >= MOST_WAITING) throw new GitBusyError()
    const leaveOwn = await turnIn(own, signal)
    const leave = (): void => {
      leaveOwn()
      void own.onIdle().then(() => this.forget(key, own))
    }
    try {
      const leaveLane = await turnIn(this.lanes[lane], signal)
      return () => {
        leaveLane()
        leave()
      }
    } catch (error) {
      leave()
      throw error
    }
  }

  private queueOf(key: string): PQueue {
    const queue = this.repositories.get(key) ?? new PQueue({ concurrency: this.settings.perRepository })
    this.repositories.set(key, queue)
    return queue
  }

  private forget(key: string, queue: PQueue): void {
    if (queue.size + queue.pending === 0 && this.repositories.get(key) === queue)
      this.repositories.delete(key)
  }
}

/** Who leaves while waiting is waited for no longer; who leaves while git runs ends git, and the turn with it. */
async function turnIn(queue: PQueue, signal: AbortSignal): Promise<() => void> {
  signal.throwIfAborted()
  const waiting = new AbortController()
  const leave = (): void => waiting.abort(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await new Promise((resolve, reject) => {
      const turn = (): Promise<void> => new Promise((release) => resolve(release))
      queue.add(turn, { signal: waiting.signal }).catch(reject)
    })
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
