import type { Id, Timestamp } from '../columns.js'

export type ResourceEventKind = 'label' | 'state' | 'milestone'
/** Of a label or a milestone: `add`, `remove`; of a state: the new one. */
export type ResourceEventAction = 'add' | 'remove' | 'closed' | 'reopened' | 'merged'

/** A change of the labels, the state or the milestone of an issue or a merge request: one of the two is set. */
export interface ResourceEventTable {
  id: Id
  kind: ResourceEventKind
  issue_id: number | null
  merge_request_id: number | null
  /** The user who made the change. */
  user_id: number
  action: ResourceEventAction
  /** Of kind `label`; null = the label was deleted. */
  label_id: number | null
  /** Of kind `milestone`; null = the milestone was deleted. */
  milestone_id: number | null
  created_at: Timestamp
}
