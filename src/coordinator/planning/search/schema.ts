import { type Static, Type } from 'typebox'

import { SimpleProject } from '../../hosting/projects/record/schema.js'
import { Snippet } from '../../hosting/snippets/schema.js'
import { described, optional } from '../../http/parameters/described.js'
import { Nullable, OneOf, SortDirection } from '../../http/parameters/types.js'
import { CommitBrief } from '../../http/presenters/present-commit.js'
import { Milestone } from '../../http/presenters/present-milestone.js'
import { PublicUser } from '../../http/presenters/present-user.js'
import { Issue } from '../issues/record-schema.js'
import { ListedMergeRequest } from '../merge-requests/record-schema.js'
import { Note } from '../notes/present-note.js'

const Text = described(Type.String({ minLength: 1, maxLength: 1024 }), 'Text to search for.')

const filters = {
  state: optional(
    OneOf('opened', 'closed', 'merged', 'all'),
    'State of issues and merge requests; `all` by default.',
  ),
  confidential: optional(Type.Boolean(), 'Whether to find confidential issues only, or the others only.'),
  order_by: optional(OneOf('created_at'), 'Order of issues and merge requests; `created_at` by default.'),
  sort: optional(SortDirection, 'Direction of that order; `desc` by default.'),
}

const Scope = OneOf(
  ...(['projects', 'issues', 'merge_requests', 'milestones', 'users', 'snippet_titles'] as const),
  ...(['blobs', 'commits', 'wiki_blobs'] as const),
)
const ProjectScope = OneOf(
  ...(['issues', 'merge_requests', 'milestones', 'notes', 'users', 'blobs', 'commits'] as const),
  ...(['wiki_blobs', 'snippet_titles'] as const),
)

export const SearchAll = Type.Object({
  scope: described(
    Scope,
    'Kind of what to search for; `blobs` are files of the default branches of projects, and `wiki_blobs` those of their wikis.',
  ),
  search: described(
    Text,
    'Text to search for. For files also `filename:`, `path:` and `extension:`, as in a project.',
  ),
  ...filters,
})
export type SearchAll = Static<typeof SearchAll>

export const SearchProject = Type.Object({
  scope: described(
    ProjectScope,
    'Kind of what to search for; `blobs` are files, `wiki_blobs` those of the wiki, and `notes` are comments on issues and merge requests.',
  ),
  search: described(
    Text,
    'Text to search for. For files also `filename:`, `path:` and `extension:`, where `*` stands for any text, and `-` in front leaves files out.',
  ),
  ref: optional(
    Type.String(),
    'Branch, tag or commit to search in for files, also of the wiki, and commits; the default branch by default.',
  ),
  ...filters,
})
export type SearchProject = Static<typeof SearchProject>

/** API, G8. */
export const FoundBlob = Type.Object({
  basename: described(Type.String(), 'Path without its extension.'),
  data: described(Type.String(), 'Lines that contain the text, with two lines around them.'),
  path: described(Type.String(), 'Path of the file.'),
  filename: described(Type.String(), 'Same as `path`.'),
  id: described(Type.Null(), 'Always null.'),
  ref: described(Type.String(), 'Branch, tag or commit that was searched.'),
  startline: described(Type.Integer(), 'Number of the first line of `data`.'),
  project_id: described(Nullable(Type.Integer()), 'ID of the project; null in the wiki of a group.'),
  group_id: optional(Type.Integer(), 'ID of the group; only in the wiki of a group.'),
})
export type FoundBlob = Static<typeof FoundBlob>

const FoundCommit = Type.Object({
  ...CommitBrief.properties,
  project_id: described(Type.Integer(), 'ID of the project.'),
})

export const Found = Type.Array(
  Type.Union([
    SimpleProject,
    Issue,
    ListedMergeRequest,
    Milestone,
    PublicUser,
    Snippet,
    FoundBlob,
    FoundCommit,
  ]),
)
export const FoundInProject = Type.Array(
  Type.Union([Issue, ListedMergeRequest, Milestone, Note, PublicUser, FoundBlob, FoundCommit, Snippet]),
)

export const CountResults = Type.Object({
  search: Text,
  files: optional(Type.Boolean(), 'Whether to count files and commits instead of records; false by default.'),
})
export type CountResults = Static<typeof CountResults>

const count = (what: string) =>
  optional(Type.Integer(), `Number of ${what} that the search finds; 1001 for more than 1,000.`)

const fileCount = (what: string) =>
  optional(Type.Integer(), `Number of ${what} that the search finds; 101 for more than 100.`)

export const SearchCounts = Type.Object({
  projects: count('projects'),
  issues: count('issues'),
  merge_requests: count('merge requests'),
  milestones: count('milestones'),
  snippet_titles: count('snippets'),
  users: count('users or members'),
  notes: count('comments'),
  blobs: fileCount('places in files'),
  commits: fileCount('commits'),
  wiki_blobs: fileCount('places in files of wikis'),
  incomplete: optional(
    Type.Array(OneOf('blobs', 'commits', 'wiki_blobs')),
    'What was not counted to the end, because that would take too long: there may be more of it.',
  ),
})
export type SearchCounts = Static<typeof SearchCounts>

/** What a search finds, by its scope. */
export interface FoundRecords {
  projects: Static<typeof SimpleProject>
  issues: Static<typeof Issue>
  merge_requests: Static<typeof ListedMergeRequest>
  milestones: Static<typeof Milestone>
  notes: Static<typeof Note>
  users: Static<typeof PublicUser>
  snippet_titles: Static<typeof Snippet>
  blobs: FoundBlob
  wiki_blobs: FoundBlob
  commits: Static<typeof FoundCommit>
}
