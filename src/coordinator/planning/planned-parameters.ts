import { Type } from 'typebox'

import { optional } from '../http/parameters/described.js'
import { Nullable } from '../http/parameters/types.js'

/** `0` stands for nobody. */
export const UserIds = Nullable(Type.Array(Nullable(Type.Integer()), { maxItems: 200 }))

/** Labels that do not exist are created one by one. */
export const Names = Type.Array(Type.String(), { maxItems: 200 })

export const Title = Type.String({ maxLength: 255 })

/** Parameters with which issues and merge requests are created and changed. */
export const TEXT_AND_ASSIGNEES = {
  description: optional(
    Nullable(Type.String({ maxLength: 1_048_576 })),
    'Description in Markdown; null for none.',
  ),
  assignee_ids: optional(UserIds, 'IDs of the assignees; empty or `0` for none.'),
  assignee_id: optional(
    Nullable(Type.Integer()),
    'Older form of `assignee_ids` with one assignee; `0` for none.',
  ),
}

export const MILESTONE_AND_LABELS = {
  milestone_id: optional(Nullable(Type.Integer()), 'ID of the milestone; `0` for none.'),
  labels: optional(Names, 'Names of all its labels; those that do not exist are created. Empty for none.'),
}
