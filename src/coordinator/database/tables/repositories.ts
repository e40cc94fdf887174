import type { RefKind } from '../../../git/names.js'
import type { Default, DefaultJson, Id, Json, Timestamp } from '../columns.js'
import type { PushAction } from './activity-events.js'

/** One ref update of a push, and the effects it will have. */
export interface RefChange {
  ref: string
  /** 40 zeros = the ref is new. */
  before: string
  /** 40 zeros = the ref is deleted. */
  after: string
  /** Whether it creates no pipeline, because the push has too many refs. */
  isQuiet?: boolean
  /** Whether it emits webhook events. */
  isNotified?: boolean
  /** Whether its activity is that of a `BulkChange`. */
  isBulk?: boolean
}

/** Refs that a push changes alike, and that have one activity. */
export interface BulkChange {
  kind: RefKind
  action: PushAction
  /** Full names. */
  refs: string[]
}

/**
 * An accepted push whose effects are not applied yet. It is written before git moves a ref, and deleted in
 * the transaction that creates the pipelines. A coordinator killed in between finds it at its next start.
 */
export interface PushTable {
  id: Id
  project_id: number
  user_id: number
  changes: Json<RefChange[]>
  /** Activities that are not recorded yet. */
  bulk: DefaultJson<BulkChange[]>
  /** Values of `git push -o`. */
  options: Json<string[]>
  created_at: Timestamp
  /** Number of failed attempts of `finishInterruptedPushes`. */
  attempts: Default<number>
  /** Null = at once. */
  next_attempt_at: Timestamp | null
}

/** Number of fetches of a repository over HTTP per day (API, C2). */
export interface ProjectFetchTable {
  project_id: number
  /** `YYYY-MM-DD` in UTC. */
  day: string
  count: number
}
