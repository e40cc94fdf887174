import { type Static, Type } from 'typebox'

import { described, flag } from '../../../http/parameters/described.js'

const mergeRequest = {
  merge_request_iid: described(Type.Integer(), 'Number of the merge request within its project.'),
}
const Digest = Type.String({ pattern: '^[0-9A-Za-z_-]{1,64}$' })

export const ViewedFiles = Type.Object({
  digests: described(Type.Array(Type.String()), 'Digests of the changes, the latest mark last.'),
})
export type ViewedFiles = Static<typeof ViewedFiles>

export const OfMergeRequest = Type.Object(mergeRequest)

/** Most files that one request marks. */
const MAX_MARKED = 100

export const MarkFiles = Type.Object({
  ...mergeRequest,
  digests: described(
    Type.Array(Digest, { minItems: 1, maxItems: MAX_MARKED }),
    'Digests that the client makes of the paths and the changes of the files: at most 64 letters, digits, `_` and `-`.',
  ),
  viewed: flag('Whether the files are marked as viewed, or not any more.'),
})
export type MarkFiles = Static<typeof MarkFiles>
