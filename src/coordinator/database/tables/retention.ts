/** What the limits of retention deleted on one day. */
export interface RetentionRemovalTable {
  /** UTC, such as 2026-01-31. */
  day: string
  /** No foreign key, because the project may be deleted; 0 = no project. */
  project_id: number
  kind: 'pipelines' | 'jobs' | 'logs' | 'artifacts' | 'activity_events'
  number: number
  bytes: number
}
