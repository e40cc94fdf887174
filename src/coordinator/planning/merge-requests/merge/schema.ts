import { Type } from 'typebox'

import { optional } from '../../../http/parameters/described.js'
import { ByIid } from '../schema.js'

const Message = Type.String({ maxLength: 1_000_000 })

export const Merge = Type.Object({
  ...ByIid.properties,
  merge_commit_message: optional(
    Message,
    'Message of the merge commit; by default by the template of the project.',
  ),
  squash_commit_message: optional(
    Message,
    'Message of the squash commit; by default by the template of the project.',
  ),
  squash: optional(
    Type.Boolean(),
    'Whether to make one commit of all; by default as the merge request says. The setting of the project may decide alone.',
  ),
  should_remove_source_branch: optional(
    Type.Boolean(),
    'Whether to delete the source branch; by default as the merge request says.',
  ),
  merge_when_pipeline_succeeds: optional(
    Type.Boolean(),
    'Whether to wait for the head pipeline, if it is running, and to merge when it has succeeded.',
  ),
  auto_merge: optional(Type.Boolean(), 'Newer name of `merge_when_pipeline_succeeds`.'),
  sha: optional(Type.String(), 'Expected head of the source branch; with another head, nothing is merged.'),
})

export const Rebase = Type.Object({
  ...ByIid.properties,
  skip_ci: optional(Type.Boolean(), 'Whether the moved branch starts no pipeline; false by default.'),
})
