import type { Default, Id, Timestamp } from '../columns.js'
import type { Visibility } from './projects.js'

/** A few files, which are in a git repository of their own. */
export interface SnippetTable {
  id: Id
  /** Null for a personal snippet. */
  project_id: number | null
  author_id: number
  title: string
  description: string | null
  /** Path of the first file, for lists. */
  file_name: string
  visibility: Visibility
  /** Size of its repository, in bytes. */
  size: Default<number>
  /** False until its repository has the files. */
  is_ready: Default<boolean>
  /** Client and address from which it was created. */
  user_agent: string | null
  ip_address: string | null
  created_at: Timestamp
  updated_at: Timestamp
}
