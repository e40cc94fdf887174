import type { Id, Timestamp } from '../columns.js'

/** A topic of projects, which name it in `project_topic`. Upper and lower case of names are the same. */
export interface TopicTable {
  id: Id
  name: string
  /** Name for display. */
  title: string
  /** Markdown. */
  description: string | null
  /** Whether an administrator has created or changed it: everybody sees it then, also without projects. */
  is_curated: boolean
  avatar_name: string | null
  avatar_key: string | null
  created_at: Timestamp
  updated_at: Timestamp
}
