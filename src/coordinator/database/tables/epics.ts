import type { Default, Id, Timestamp } from '../columns.js'

/** A goal of a group, above the issues of its projects (API, F5). */
export interface EpicTable {
  id: Id
  group_id: number
  /** Number within the group; never used again. */
  iid: number
  title: string
  description: string | null
  state: Default<'opened' | 'closed'>
  author_id: number
  /** `YYYY-MM-DD`; null = none. */
  start_date: string | null
  due_date: string | null
  closed_at: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
}
