import { type Static, Type } from 'typebox'

import { described } from '../../../http/parameters/described.js'

/** Most context commits of a merge request: all of them are read to be shown. */
export const MAX_CONTEXT_COMMITS = 100

const mergeRequest = {
  merge_request_iid: described(Type.Integer(), 'Number of the merge request within its project.'),
}

export const OfMergeRequest = Type.Object(mergeRequest)

export const ContextCommits = Type.Object({
  ...mergeRequest,
  commits: described(
    Type.Array(Type.String({ pattern: '^[0-9a-f]{40}$' }), { minItems: 1, maxItems: MAX_CONTEXT_COMMITS }),
    'IDs of the commits: 40 hexadecimal digits each.',
  ),
})
export type ContextCommits = Static<typeof ContextCommits>
