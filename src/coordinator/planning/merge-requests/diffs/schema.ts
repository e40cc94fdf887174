import { type Static, Type } from 'typebox'

import { DiffEntry } from '../../../hosting/repositories/browse/diff-record.js'
import { described, flag, optional } from '../../../http/parameters/described.js'
import { OneOf } from '../../../http/parameters/types.js'
import { CommitBrief } from '../../../http/presenters/present-commit.js'
import { SingleMergeRequest } from '../record-schema.js'
import { ByIid } from '../schema.js'

/** API, F4. */
export const DiffVersion = Type.Object({
  id: described(Type.Integer(), 'ID of the version.'),
  head_commit_sha: described(Type.String(), 'Head of the source branch.'),
  base_commit_sha: described(Type.String(), 'Merge base of the branches.'),
  start_commit_sha: described(Type.String(), 'Head of the target branch.'),
  created_at: described(Type.String(), 'Time at which it was stored.'),
  merge_request_id: described(Type.Integer(), 'ID of the merge request.'),
  state: described(Type.Literal('collected'), 'Always `collected`.'),
  real_size: described(Type.String(), 'Number of changed files.'),
  patch_id_sha: described(Type.Null(), 'Always null.'),
})
export type DiffVersion = Static<typeof DiffVersion>

export const SingleDiffVersion = Type.Object({
  ...DiffVersion.properties,
  commits: described(Type.Array(CommitBrief), 'Its commits, the newest first; at most 1,000.'),
  diffs: described(Type.Array(DiffEntry), 'Its changed files; at most 3,000.'),
})

export const Changes = Type.Object({
  ...SingleMergeRequest.properties,
  changes: described(Type.Array(DiffEntry), 'Changed files; at most 3,000.'),
  overflow: flag('Whether files or lines are missing because there are too many.'),
})

const Unidiff = optional(Type.Boolean(), 'Whether diffs have the header lines of patches; false by default.')

export const GetVersion = Type.Object({
  ...ByIid.properties,
  version_id: described(Type.Integer(), 'ID of the version.'),
  unidiff: Unidiff,
})

export const ListDiffs = Type.Object({ ...ByIid.properties, unidiff: Unidiff })

export const GetChanges = Type.Object({
  ...ByIid.properties,
  access_raw_diffs: optional(Type.Boolean(), 'Ignored: diffs are always read from git.'),
  unidiff: Unidiff,
})

export const OfDeployment = Type.Object({
  deployment_id: described(Type.Integer(), 'ID of the deployment.'),
})

export const OfCommit = Type.Object({
  sha: described(Type.String(), 'ID of the commit, or a branch or tag.'),
  state: optional(
    OneOf('opened', 'closed', 'locked', 'merged', 'all'),
    'State of the merge requests; `all` by default.',
  ),
})
