import type { Default, Id, Timestamp } from '../columns.js'

export type TodoAction =
  | 'assigned'
  | 'mentioned'
  | 'directly_addressed'
  | 'marked'
  | 'build_failed'
  | 'unmergeable'
  | 'review_requested'
  | 'merge_train_removed'
type TodoState = 'pending' | 'done'

/** A to-do item of a user (API, G7). It is about an issue or a merge request: one of the two columns is set. */
export interface TodoTable {
  id: Id
  user_id: number
  /** The user whose action it comes from. */
  author_id: number
  /** The project of the issue or merge request. */
  project_id: number
  action: TodoAction
  issue_id: number | null
  merge_request_id: number | null
  state: Default<TodoState>
  created_at: Timestamp
  updated_at: Timestamp
}
