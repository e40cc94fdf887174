import { Type } from 'typebox'

import { described } from '../../http/parameters/described.js'

export const OfIssue = Type.Object({
  issue_iid: described(Type.Integer(), 'Number of the issue within its project.'),
})

export const OfMergeRequest = Type.Object({
  merge_request_iid: described(Type.Integer(), 'Number of the merge request within its project.'),
})
