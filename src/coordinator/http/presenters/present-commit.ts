import { type Static, Type } from 'typebox'

import type { Commit } from '../../../git/parse-commit.js'
import { text } from '../parameters/described.js'

/** A commit as other records embed it. */
export const CommitBrief = Type.Object({
  id: text('SHA of the commit, 40 hexadecimal digits'),
  short_id: text('First 8 digits of the SHA'),
  title: text('First line of the message'),
  message: text('Whole message'),
  author_name: text('Name of the author'),
  author_email: text('Email address of the author'),
  authored_date: text('When the change was written: ISO 8601 with the offset of the author'),
  committer_name: text('Name of the committer'),
  committer_email: text('Email address of the committer'),
  committed_date: text('When the commit was made: ISO 8601 with the offset of the committer'),
  created_at: text('Same as committed_date'),
  parent_ids: Type.Array(Type.String(), { description: 'SHAs of the parents, the first one first' }),
  web_url: text('Address of the page of the commit'),
})
export type CommitBrief = Static<typeof CommitBrief>

/** A commit as lists of commits, branches and tags show it (API, E3). */
export const CommitRecord = Type.Object({
  ...CommitBrief.properties,
  trailers: Type.Record(Type.String(), Type.String(), {
    description: 'Last value of each trailer of the message, by key; empty unless trailers were asked for',
  }),
  extended_trailers: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'All values of each trailer of the message, by key; empty unless trailers were asked for',
  }),
})
export type CommitRecord = Static<typeof CommitRecord>

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

/** `trailers` keep the order of the message; a key may be repeated. */
export function presentCommitRecord(
  commit: Commit,
  projectUrl: string,
  trailers: [string, string][] = [],
): CommitRecord {
  const extended = new Map<string, string[]>() // not an object: a key may be `__proto__`
  for (const [key, value] of trailers) extended.set(key, [...(extended.get(key) ?? []), value])
  return {
    ...presentCommit(commit, projectUrl),
    trailers: Object.fromEntries(trailers),
    extended_trailers: Object.fromEntries(extended),
  }
}
