import type { Default, Id, Json, Timestamp } from '../columns.js'

/** One ref of a push as its client asked for it, and what is to follow from it. */
export interface RefChange {
  ref: string
  /** 40 zeros = the ref is new. */
  before: string
  /** 40 zeros = the ref goes away. */
  after: string
  /** Whether there is to be no pipeline: there are others of the same push. */
  isQuiet?: boolean
  /** Whether hooks hear of it. */
  isTold?: boolean
}

/**
 * A push that was let through and has not become pipelines yet. Written before git moves a ref and deleted in the
 * transaction that creates the pipelines, so that a coordinator killed in between finds it at its next start.
 */
export interface PushTable {
  id: Id
  project_id: number
  user_id: number
  changes: Json<RefChange[]>
  /** `git push -o` values. */
  options: Json<string[]>
  created_at: Timestamp
  /** How often `finishInterruptedPushes` has failed to finish it. */
  attempts: Default<number>
  /** Null = at once. */
  next_attempt_at: Timestamp | null
}

/** How often a repository was fetched over HTTP on a day (API, C2). */
export interface ProjectFetchTable {
  project_id: number
  /** `YYYY-MM-DD`, of UTC. */
  day: string
  count: number
}
