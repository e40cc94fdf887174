/** What the limits of retention delete. */
export type RetiredKind = 'pipelines' | 'jobs' | 'logs' | 'artifacts' | 'activity_events'

export interface Retired {
  kind: RetiredKind
  /** Undefined for activity events. */
  projectId?: number
  number: number
  /** Of its files: logs and artifacts. */
  bytes?: number
}

/** Called after the deletion. */
export type OnRetired = (retired: Retired) => void
