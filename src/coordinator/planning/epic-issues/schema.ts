import { type Static, Type } from 'typebox'

import { described, optional } from '../../http/parameters/described.js'
import { Epic } from '../epics/epic-schema.js'
import { Issue } from '../issues/record-schema.js'

const EpicIid = described(Type.Integer(), 'Number of the epic within its group.')
const LinkId = described(Type.Integer(), 'ID of the place of the issue in the epic (`epic_issue_id`).')

export const ByEpic = Type.Object({ epic_iid: EpicIid })
export const ByIssue = Type.Object({
  epic_iid: EpicIid,
  issue_id: described(Type.Integer(), 'ID of the issue.'),
})
export const ByEpicIssue = Type.Object({ epic_iid: EpicIid, epic_issue_id: LinkId })
export type ByEpicIssue = Static<typeof ByEpicIssue>

export const MoveEpicIssue = Type.Object({
  ...ByEpicIssue.properties,
  move_before_id: optional(Type.Integer(), '`epic_issue_id` of the issue that comes before this one.'),
  move_after_id: optional(Type.Integer(), '`epic_issue_id` of the issue that comes after this one.'),
})

/** Parameters of which a move needs one. */
export const NEIGHBORS = ['move_before_id', 'move_after_id']

/** An issue in the list of its epic. */
export const IssueOfEpic = Type.Object({
  ...Issue.properties,
  epic_issue_id: LinkId,
  relative_position: described(Type.Integer(), 'Order within the epic; lower ones come first.'),
})
export type IssueOfEpic = Static<typeof IssueOfEpic>

/** An issue that was given to an epic, or taken from it. */
export const EpicIssue = Type.Object({
  id: LinkId,
  epic: described(Epic, 'Epic.'),
  issue: described(Issue, 'Issue.'),
})
export type EpicIssue = Static<typeof EpicIssue>
