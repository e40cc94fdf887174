import { type Static, Type } from 'typebox'

import { described, optional, text } from '../../http/parameters/described.js'
import { DateTime, Nullable, NullableText, OneOf } from '../../http/parameters/types.js'
import { CommitRecord } from '../../http/presenters/present-commit.js'
import { PipelineBrief } from '../../http/presenters/present-pipeline.js'
import { PublicUser } from '../../http/presenters/present-user.js'

const Stats = Type.Object(
  {
    additions: Type.Integer({ description: 'Lines added' }),
    deletions: Type.Integer({ description: 'Lines taken away' }),
    total: Type.Integer({ description: 'Sum of both' }),
  },
  { description: 'Lines changed, compared with the first parent' },
)

/** In lists; statistics when they were asked for. */
export const ListedCommit = Type.Object({ ...CommitRecord.properties, stats: Type.Optional(Stats) })
export type ListedCommit = Static<typeof ListedCommit>

/** One commit (API, E3). */
export const SingleCommit = Type.Object({
  ...ListedCommit.properties,
  project_id: Type.Integer({ description: 'Number of the project' }),
  status: described(NullableText, 'Status of its latest pipeline; null without one'),
  last_pipeline: described(Nullable(PipelineBrief), 'Its latest pipeline; null without one'),
})
export type SingleCommit = Static<typeof SingleCommit>

export const ListCommits = Type.Object({
  ref_name: Type.Optional(text('Branch, tag, commit or range a..b; default the default branch')),
  since: Type.Optional(described(DateTime(), 'Only commits at or after this time')),
  until: Type.Optional(described(DateTime(), 'Only commits at or before this time')),
  path: Type.Optional(text('Only commits that changed this file or folder')),
  author: Type.Optional(text("Only commits whose author's name or address has this text")),
  all: optional(Type.Boolean(), 'Commits of every branch and tag; ref_name is ignored'),
  with_stats: optional(Type.Boolean(), 'Whether each commit carries its statistics'),
  first_parent: optional(Type.Boolean(), 'Whether merges are followed to their first parent only'),
  trailers: optional(Type.Boolean(), 'Whether each commit carries the trailers of its message'),
  order: Type.Optional(
    described(OneOf('default', 'topo'), 'default: newest first; topo: no parent before its children'),
  ),
})
export type ListCommits = Static<typeof ListCommits>

const Sha = Type.String({ minLength: 1, description: 'SHA of the commit, or a branch or tag' })
export const CommitSha = Type.Object({ sha: Sha })
export const GetCommit = Type.Object({
  sha: Sha,
  stats: optional(Type.Boolean(), 'Whether the record has statistics; default true'),
})

export const ListRefs = Type.Object({
  sha: Sha,
  type: Type.Optional(described(OneOf('branch', 'tag', 'all'), 'Kind of refs to list; default all')),
})

export const RefEntry = Type.Object({
  type: described(OneOf('branch', 'tag'), 'Kind of the ref'),
  name: text('Short name of the ref'),
})

export const GetDiff = Type.Object({
  sha: Sha,
  unidiff: optional(Type.Boolean(), 'Whether each diff begins with its --- and +++ lines'),
})

export const GetSequence = Type.Object({
  sha: Sha,
  first_parent: optional(Type.Boolean(), 'Whether merges are followed to their first parent only'),
})
export const Sequence = Type.Object({
  count: Type.Integer({ description: 'Commits up to this one, itself included' }),
})

export const Comment = Type.Object({
  note: text('What is said'),
  path: described(NullableText, 'File that it is said of; null for the commit as a whole'),
  line: described(Nullable(Type.Integer()), 'Line that it is said of; null for the commit as a whole'),
  line_type: described(Nullable(OneOf('new', 'old')), 'new or old side of the change; null without a line'),
  author: described(Nullable(PublicUser), 'Who says it; null when that user was deleted'),
  created_at: text('When it was said, ISO 8601 UTC'),
})
export type Comment = Static<typeof Comment>

export const NewComment = Type.Object({
  sha: Sha,
  note: Type.String({ minLength: 1, maxLength: 1_000_000, description: 'What is said' }),
  path: Type.Optional(text('File that it is said of')),
  line: Type.Optional(Type.Integer({ description: 'Line that it is said of' })),
  line_type: Type.Optional(described(OneOf('new', 'old'), 'Side of the change that the line is on')),
})
export type NewComment = Static<typeof NewComment>

const Action = Type.Object({
  action: described(OneOf('create', 'delete', 'move', 'update', 'chmod'), 'What is done with the file'),
  file_path: text('Path of the file from the root'),
  previous_path: Type.Optional(text('Path that a move takes the file from')),
  content: Type.Optional(
    text('New content; needed by create and update, a move without it keeps the old one'),
  ),
  encoding: Type.Optional(described(OneOf('text', 'base64'), 'How content is written; default text')),
  last_commit_id: Type.Optional(
    text('Last known commit of the file: update, move and delete are refused when there is a later one'),
  ),
  execute_filemode: optional(Type.Boolean(), 'Whether the file may be executed; needed by chmod'),
})
export type Action = Static<typeof Action>

export const NewCommit = Type.Object({
  branch: Type.String({
    minLength: 1,
    description: 'Branch to commit to; a new one needs start_branch or start_sha',
  }),
  commit_message: Type.String({ minLength: 1, maxLength: 1_000_000, description: 'Message of the commit' }),
  start_branch: Type.Optional(text('Branch that a new branch starts from')),
  start_sha: Type.Optional(text('Commit that a new branch starts from')),
  start_project: Type.Optional(text('Number or path of the project to start from; default this one')),
  actions: Type.Array(Action, { description: 'Changes of files, done in their order' }),
  author_email: Type.Optional(text('Address of the author; default the one of the caller')),
  author_name: Type.Optional(text('Name of the author; default the one of the caller')),
  stats: optional(Type.Boolean(), 'Whether the answer has statistics; default true'),
  force: optional(
    Type.Boolean(),
    'Whether the branch is overwritten with a commit on top of start_branch or start_sha',
  ),
})
export type NewCommit = Static<typeof NewCommit>

export const CherryPick = Type.Object({
  sha: Sha,
  branch: Type.String({ minLength: 1, description: 'Branch to commit to' }),
  dry_run: optional(Type.Boolean(), 'Whether it is only tried, and nothing committed; default false'),
  message: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000_000,
      description: 'Message of the new commit; default the old one',
    }),
  ),
})
export const Revert = Type.Object({
  sha: Sha,
  branch: Type.String({ minLength: 1, description: 'Branch to commit to' }),
  dry_run: optional(Type.Boolean(), 'Whether it is only tried, and nothing committed; default false'),
})

export const DryRun = Type.Object({ dry_run: text('success: the commit could be made') })
