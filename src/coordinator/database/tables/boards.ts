import type { Default, Id, Timestamp } from '../columns.js'

/** A board of a project or of a group: one of the two IDs is set (API, F6). */
export interface BoardTable {
  id: Id
  project_id: number | null
  group_id: number | null
  name: string
  hide_backlog_list: Default<boolean>
  hide_closed_list: Default<boolean>
  /** The board shows only issues of this milestone; null = all. */
  milestone_id: number | null
  /** The board shows only issues of this assignee; null = all. */
  assignee_id: number | null
  /** The board shows only issues of this weight; null = all. */
  weight: number | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** The board shows only issues with all of its labels. */
export interface BoardLabelTable {
  board_id: number
  label_id: number
}

/** A column of a board: the issues of a label, an assignee or a milestone, of which one is set. */
export interface BoardListTable {
  id: Id
  board_id: number
  label_id: number | null
  assignee_id: number | null
  milestone_id: number | null
  /** Order within the board. Deleted lists leave gaps. */
  position: number
  created_at: Timestamp
  updated_at: Timestamp
}
