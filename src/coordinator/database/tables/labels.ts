import type { Id, Timestamp } from '../columns.js'

/** A label of a project or of a group: one of the two IDs is set (API, G3). */
export interface LabelTable {
  id: Id
  project_id: number | null
  group_id: number | null
  name: string
  description: string | null
  /** `#rrggbb` or `#rgb`. */
  color: string
  created_at: Timestamp
  updated_at: Timestamp
}

/** The place of a label among those of a project, which may be a label of a group of the project. */
export interface LabelPriorityTable {
  project_id: number
  label_id: number
  /** 0 is the most important. */
  priority: number
}

/** A user who is notified when an object gets the label. */
export interface LabelSubscriptionTable {
  id: Id
  label_id: number
  user_id: number
  /** The project in which a group label was subscribed to; null = the whole group, or the project of the label. */
  project_id: number | null
}

/** A label of an issue: one of its project, or of a group above the project. */
export interface IssueLabelTable {
  issue_id: number
  label_id: number
}
