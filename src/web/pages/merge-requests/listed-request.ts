import type { Static } from 'typebox'

import type { ListedMergeRequest } from '../../../coordinator/planning/merge-requests/record-schema.js'

/** A row of a list of merge requests. */
export type ListedRequest = Static<typeof ListedMergeRequest>
