import { type Static, Type } from 'typebox'

import type { Commit } from '../../git/parse-commit.js'

/** A commit as other records embed it. */
export const CommitBrief = Type.Object({
  id: Type.String(),
  short_id: Type.String(),
  title: Type.String(),
  message: Type.String(),
  author_name: Type.String(),
  author_email: Type.String(),
  authored_date: Type.String(),
  committer_name: Type.String(),
  committer_email: Type.String(),
  committed_date: Type.String(),
  created_at: Type.String(),
  parent_ids: Type.Array(Type.String()),
  web_url: Type.String(),
})
export type CommitBrief = Static<typeof CommitBrief>

/** `projectUrl` without a trailing slash. */
export function presentCommit(commit: Commit, projectUrl: string): CommitBrief {
  return {
    id: commit.id,
    short_id: commit.id.slice(0, 8),
    title: commit.title,
    message: commit.message,
    author_name: commit.authorName,
    author_email: commit.authorEmail,
    authored_date: commit.authoredDate,
    committer_name: commit.committerName,
    committer_email: commit.committerEmail,
    committed_date: commit.committedDate,
    created_at: commit.committedDate,
    parent_ids: commit.parentIds,
    web_url: `${projectUrl}/-/commit/${commit.id}`,
  }
}
