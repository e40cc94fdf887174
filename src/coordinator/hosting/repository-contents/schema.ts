import { type Static, Type } from 'typebox'

import { described, optional, text } from '../../http/parameters/described.js'
import { Nullable, OneOf, SortDirection } from '../../http/parameters/types.js'
import { CommitRecord } from '../../http/presenters/present-commit.js'
import { DiffEntry } from '../repositories/browse/diff-record.js'

export const TreeEntry = Type.Object({
  id: text('Object ID of the folder, file or commit'),
  name: text('Last part of the path'),
  type: described(OneOf('tree', 'blob', 'commit'), 'tree: folder; blob: file or link; commit: submodule'),
  path: text('Path from the repository root'),
  mode: text('Git mode, six octal digits'),
})
export type TreeEntry = Static<typeof TreeEntry>

export const GetTree = Type.Object({
  path: Type.Optional(text('Folder to list; default the root')),
  ref: Type.Optional(text('Branch, tag or commit; defaults to the default branch')),
  recursive: optional(Type.Boolean(), 'Whether to list subfolders recursively; default false'),
  pagination: Type.Optional(
    text('keyset: page through the list with page_token; only the next page is linked'),
  ),
  page_token: Type.Optional(
    text('With keyset: object ID of the last entry of the previous page, or the token of its link'),
  ),
})
export type GetTree = Static<typeof GetTree>

export const BlobSha = Type.Object({ sha: text('Object ID of the blob, 40 hexadecimal digits') })

export const BlobRecord = Type.Object({
  size: Type.Integer({ description: 'Size, in bytes' }),
  encoding: described(OneOf('base64'), 'Encoding of the content'),
  content: text('Content, encoded as Base64'),
  sha: text('Object ID of the blob'),
})

export const GetArchive = Type.Object({
  sha: Type.Optional(text('Tag, branch or commit; defaults to the default branch')),
  path: Type.Optional(text('Path of a file or folder to include')),
  format: Type.Optional(
    text('Format: tar.gz (default), tar.bz2, tbz, tbz2, tb2, bz2, tar or zip; also as the suffix of the URL'),
  ),
  include_lfs_blobs: optional(
    Type.Boolean(),
    'Accepted without effect: archives have the pointers of Git LFS objects',
  ),
})
export type GetArchive = Static<typeof GetArchive>

export const GetCompare = Type.Object({
  from: text('Commit SHA, branch or tag to compare from'),
  to: text('Commit SHA, branch or tag to compare to'),
  straight: optional(
    Type.Boolean(),
    'true compares from and to directly; false, the default, compares their merge base with to',
  ),
  from_project_id: Type.Optional(
    Type.Integer({ description: 'ID of the project, or of a fork of it, that contains from' }),
  ),
  unidiff: optional(Type.Boolean(), 'Whether each diff starts with its --- and +++ lines'),
})
export type GetCompare = Static<typeof GetCompare>

export const Comparison = Type.Object({
  commit: described(
    Nullable(Type.Object(CommitRecord.properties)),
    'Newest of the commits; null if there are none',
  ),
  commits: Type.Array(CommitRecord, {
    description: 'Commits in to that are not in from, the oldest first; the newest 1000',
  }),
  diffs: Type.Array(DiffEntry, { description: 'Changed files' }),
  compare_timeout: Type.Boolean({ description: 'Whether there are more changed files than shown' }),
  compare_same_ref: Type.Boolean({ description: 'Whether from and to are the same commit' }),
  web_url: text('URL of the comparison page'),
})
export type Comparison = Static<typeof Comparison>

export const ListContributors = Type.Object({
  ref: Type.Optional(text('Branch, tag or commit; defaults to the default branch')),
  order_by: Type.Optional(described(OneOf('name', 'email', 'commits'), 'Field to order by; default commits')),
  sort: Type.Optional(described(SortDirection, 'Sort order; default asc')),
})
export type ListContributors = Static<typeof ListContributors>

export const ContributorRecord = Type.Object({
  name: text('Name of the author in the latest commit'),
  email: text('E-mail address that identifies the author'),
  commits: Type.Integer({ description: 'Number of commits, without merges' }),
  additions: Type.Integer({ description: 'Always 0: lines are not counted' }),
  deletions: Type.Integer({ description: 'Always 0: lines are not counted' }),
})

export const GetMergeBase = Type.Object({
  refs: Type.Array(Type.String(), { description: 'Two or more commit SHAs, branches or tags' }),
})

export const GetStorage = Type.Object({ id: text('ID or full path of the project') })
export const RepositoryStorage = Type.Object({
  project_id: Type.Integer({ description: 'ID of the project' }),
  disk_path: text('Path of the repository below the folder of the repositories, without .git'),
  created_at: text('Time of creation of the project, ISO 8601 UTC'),
  repository_storage: Type.Literal('default', { description: 'Name of the storage' }),
})

export const GetSnapshot = Type.Object({
  id: text('ID or full path of the project'),
  wiki: optional(Type.Boolean(), 'Whether to return the repository of the wiki'),
})
