import { type Static, Type } from 'typebox'

import { described, optional, text } from '../../http/parameters/described.js'
import { DateTime, Nullable, NullableText, OneOf } from '../../http/parameters/types.js'
import { CommitRecord } from '../../http/presenters/present-commit.js'
import { PipelineBrief } from '../../http/presenters/present-pipeline.js'
import { PublicUser } from '../../http/presenters/present-user.js'

const Stats = Type.Object(
  {
    additions: Type.Integer({ description: 'Number of added lines' }),
    deletions: Type.Integer({ description: 'Number of deleted lines' }),
    total: Type.Integer({ description: 'Sum of additions and deletions' }),
  },
  { description: 'Numbers of changed lines, compared with the first parent' },
)

/** Commit in a list, with statistics if requested. */
export const ListedCommit = Type.Object({ ...CommitRecord.properties, stats: Type.Optional(Stats) })
export type ListedCommit = Static<typeof ListedCommit>

/** One commit (API, E3). */
export const SingleCommit = Type.Object({
  ...ListedCommit.properties,
  project_id: Type.Integer({ description: 'ID of the project' }),
  status: described(NullableText, 'Status of the latest pipeline; null if there is none'),
  last_pipeline: described(Nullable(PipelineBrief), 'Latest pipeline; null if there is none'),
})
export type SingleCommit = Static<typeof SingleCommit>

export const ListCommits = Type.Object({
  ref_name: Type.Optional(text('Branch, tag, commit or range a..b; defaults to the default branch')),
  since: Type.Optional(described(DateTime(), 'Earliest time of the commits')),
  until: Type.Optional(described(DateTime(), 'Latest time of the commits')),
  path: Type.Optional(text('File or folder that the commits changed')),
  author: Type.Optional(text('Part of the name or e-mail address of the author')),
  search: Type.Optional(
    described(
      Type.String({ maxLength: 255 }),
      'Words, each a part of the message or of the author, or the first digits of the SHA (beyond the reference)',
    ),
  ),
  all: optional(Type.Boolean(), 'Whether to list commits of all branches and tags; ref_name is ignored'),
  with_stats: optional(Type.Boolean(), 'Whether to include statistics of each commit'),
  first_parent: optional(Type.Boolean(), 'Whether to follow only the first parent of merge commits'),
  trailers: optional(Type.Boolean(), 'Whether to include the trailers of each commit message'),
  order: Type.Optional(
    described(
      OneOf('default', 'topo'),
      'Order: default lists the newest first; topo lists no parent before its children',
    ),
  ),
})
export type ListCommits = Static<typeof ListCommits>

const Sha = Type.String({ minLength: 1, description: 'SHA of the commit, or name of a branch or tag' })
export const CommitSha = Type.Object({ sha: Sha })
export const GetCommit = Type.Object({
  sha: Sha,
  stats: optional(Type.Boolean(), 'Whether to include statistics; default true'),
})

export const ListRefs = Type.Object({
  sha: Sha,
  type: Type.Optional(described(OneOf('branch', 'tag', 'all'), 'Type of the refs to list; default all')),
})

export const RefEntry = Type.Object({
  type: described(OneOf('branch', 'tag'), 'Type of the ref'),
  name: text('Short name of the ref'),
})

export const GetDiff = Type.Object({
  sha: Sha,
  unidiff: optional(Type.Boolean(), 'Whether each diff starts with its --- and +++ lines'),
})

export const GetSequence = Type.Object({
  sha: Sha,
  first_parent: optional(Type.Boolean(), 'Whether to follow only the first parent of merge commits'),
})
export const Sequence = Type.Object({
  count: Type.Integer({ description: 'Number of commits up to and including this one' }),
})

export const Comment = Type.Object({
  note: text('Text of the comment'),
  path: described(NullableText, 'Path of the file; null for a comment on the whole commit'),
  line: described(Nullable(Type.Integer()), 'Line number; null for a comment on the whole commit'),
  line_type: described(Nullable(OneOf('new', 'old')), 'Side of the change, new or old; null without a line'),
  author: described(Nullable(PublicUser), 'Author; null for a deleted user'),
  created_at: text('Time of creation, ISO 8601 UTC'),
})
export type Comment = Static<typeof Comment>

export const NewComment = Type.Object({
  sha: Sha,
  note: Type.String({ minLength: 1, maxLength: 1_000_000, description: 'Text of the comment' }),
  path: Type.Optional(text('Path of the file')),
  line: Type.Optional(Type.Integer({ description: 'Line number' })),
  line_type: Type.Optional(described(OneOf('new', 'old'), 'Side of the change to which the line belongs')),
})
export type NewComment = Static<typeof NewComment>

const Action = Type.Object({
  action: described(OneOf('create', 'delete', 'move', 'update', 'chmod'), 'Action on the file'),
  file_path: text('Path of the file from the repository root'),
  previous_path: Type.Optional(text('Previous path of a moved file')),
  content: Type.Optional(
    text('New content; required by create and update; a move without it keeps the content'),
  ),
  encoding: Type.Optional(described(OneOf('text', 'base64'), 'Encoding of the content; default text')),
  last_commit_id: Type.Optional(
    text('Last known commit of the file: update, move and delete fail if there is a newer one'),
  ),
  execute_filemode: optional(Type.Boolean(), 'Whether the file is executable; required by chmod'),
})
export type Action = Static<typeof Action>

export const NewCommit = Type.Object({
  branch: Type.String({
    minLength: 1,
    description: 'Target branch; a new branch requires start_branch or start_sha',
  }),
  commit_message: Type.String({ minLength: 1, maxLength: 1_000_000, description: 'Commit message' }),
  start_branch: Type.Optional(text('Branch from which to create a new branch')),
  start_sha: Type.Optional(text('Commit from which to create a new branch')),
  start_project: Type.Optional(text('ID or path of the project to start from; default this project')),
  actions: Type.Array(Action, { description: 'Actions on files, applied in this order' }),
  author_email: Type.Optional(text('E-mail address of the author; default that of the caller')),
  author_name: Type.Optional(text('Name of the author; default that of the caller')),
  stats: optional(Type.Boolean(), 'Whether to include statistics in the response; default true'),
  force: optional(
    Type.Boolean(),
    'Whether to overwrite the branch with a commit on top of start_branch or start_sha',
  ),
})
export type NewCommit = Static<typeof NewCommit>

export const CherryPick = Type.Object({
  sha: Sha,
  branch: Type.String({ minLength: 1, description: 'Target branch' }),
  dry_run: optional(Type.Boolean(), 'Whether to check the change without committing it; default false'),
  message: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000_000,
      description: 'Message of the new commit; default that of the original commit',
    }),
  ),
})
export const Revert = Type.Object({
  sha: Sha,
  branch: Type.String({ minLength: 1, description: 'Target branch' }),
  dry_run: optional(Type.Boolean(), 'Whether to check the change without committing it; default false'),
})

export const UpdateSubmodule = Type.Object({
  submodule: Type.String({ minLength: 1, description: 'Path of the submodule' }),
  branch: Type.String({ minLength: 1, description: 'Branch to commit to' }),
  commit_sha: Type.String({
    pattern: '^[0-9a-fA-F]{40}$',
    description: 'ID of the commit of the submodule, 40 hexadecimal digits',
  }),
  commit_message: Type.Optional(
    Type.String({
      maxLength: 1_000_000,
      description: 'Commit message; default Update submodule <path> with oid <commit>',
    }),
  ),
})
export type UpdateSubmodule = Static<typeof UpdateSubmodule>

export const DryRun = Type.Object({ dry_run: text('success: the commit is possible') })
