import { type Static, Type } from 'typebox'

import { described, optional, text } from '../../http/parameters/described.js'
import { Nullable, OneOf, SortDirection } from '../../http/parameters/types.js'
import { CommitRecord } from '../../http/presenters/present-commit.js'
import { DiffEntry } from '../repositories/browse/diff-record.js'

export const TreeEntry = Type.Object({
  id: text('Id of the folder, file or commit in git'),
  name: text('Last part of the path'),
  type: described(OneOf('tree', 'blob', 'commit'), 'tree: folder; blob: file or link; commit: submodule'),
  path: text('Path from the root of the repository'),
  mode: text('Git mode, six octal digits'),
})

export const GetTree = Type.Object({
  path: Type.Optional(text('Folder to list; default the root')),
  ref: Type.Optional(text('Branch, tag or commit; default the default branch')),
  recursive: optional(
    Type.Boolean(),
    'Whether everything in the folders below is listed as well; default false',
  ),
  pagination: Type.Optional(
    text('keyset: the list is walked by page_token, and only linked to its next page'),
  ),
  page_token: Type.Optional(
    text('With keyset: id of the last entry of the page before, or the token of its link'),
  ),
})
export type GetTree = Static<typeof GetTree>

export const BlobSha = Type.Object({ sha: text('Id of the file in git, 40 hexadecimal digits') })

export const BlobRecord = Type.Object({
  size: Type.Integer({ description: 'Bytes' }),
  encoding: described(OneOf('base64'), 'How content is written'),
  content: text('Content, Base64'),
  sha: text('Id of the file in git'),
})

export const GetArchive = Type.Object({
  sha: Type.Optional(text('Tag, branch or commit; default the default branch')),
  path: Type.Optional(text('Only this file or folder')),
  format: Type.Optional(
    text('tar.gz (default), tar.bz2, tbz, tbz2, tb2, bz2, tar or zip; also as the ending of the address'),
  ),
  include_lfs_blobs: optional(
    Type.Boolean(),
    'Accepted and without effect: no large files are kept apart from git',
  ),
})
export type GetArchive = Static<typeof GetArchive>

export const GetCompare = Type.Object({
  from: text('Commit SHA, branch or tag to compare with'),
  to: text('Commit SHA, branch or tag that is compared'),
  straight: optional(
    Type.Boolean(),
    'true compares from with to; false, the default, what they share last with to',
  ),
  from_project_id: Type.Optional(
    Type.Integer({ description: 'Number of the project, or of a fork of it, that has from' }),
  ),
  unidiff: optional(Type.Boolean(), 'Whether each diff begins with its --- and +++ lines'),
})
export type GetCompare = Static<typeof GetCompare>

export const Comparison = Type.Object({
  commit: described(
    Nullable(Type.Object(CommitRecord.properties)),
    'Newest of the commits; null when there are none',
  ),
  commits: Type.Array(CommitRecord, {
    description: 'Commits that only to has, the oldest first; the newest 1000',
  }),
  diffs: Type.Array(DiffEntry, { description: 'Changed files' }),
  compare_timeout: Type.Boolean({ description: 'Whether there are more changed files than are shown' }),
  compare_same_ref: Type.Boolean({ description: 'Whether from and to are the same' }),
  web_url: text('Address of the page of the comparison'),
})
export type Comparison = Static<typeof Comparison>

export const ListContributors = Type.Object({
  ref: Type.Optional(text('Branch, tag or commit; default the default branch')),
  order_by: Type.Optional(described(OneOf('name', 'email', 'commits'), 'Order of the list; default commits')),
  sort: Type.Optional(described(SortDirection, 'Direction of the order; default asc')),
})
export type ListContributors = Static<typeof ListContributors>

export const ContributorRecord = Type.Object({
  name: text('Name in their latest commit'),
  email: text('Address by which commits are told to be theirs'),
  commits: Type.Integer({ description: 'Commits, merges not counted' }),
  additions: Type.Integer({ description: 'Always 0: lines are not counted' }),
  deletions: Type.Integer({ description: 'Always 0: lines are not counted' }),
})

export const GetMergeBase = Type.Object({
  refs: Type.Array(Type.String(), { description: 'Two or more commit SHAs, branches or tags' }),
})

export const GetSnapshot = Type.Object({
  id: text('Number or full path of the project'),
  wiki: optional(Type.Boolean(), 'Whether the repository of the wiki is meant; there are none'),
})
