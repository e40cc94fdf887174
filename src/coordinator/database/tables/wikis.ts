import type { Id, Timestamp } from '../columns.js'

/** The wiki of a project, whose pages are in a git repository of its own. Projects without one have no row. */
export interface WikiTable {
  project_id: number
  /** The commit up to which events were emitted; null = none. */
  head_sha: string | null
  /** Of the repository, in bytes. */
  size: number
  updated_at: Timestamp
}

/** The wiki of a group, as `WikiTable`. Groups without one have no row. */
export interface GroupWikiTable {
  group_id: number
  /** The commit up to which changes were recorded; null = none. */
  head_sha: string | null
  /** Of the repository, in bytes. */
  size: number
  updated_at: Timestamp
}

/** A page of a wiki that has activity. It stays when the page is deleted, for its activity. */
export interface WikiPageTable {
  id: Id
  project_id: number
  /** Path without the extension, unique in the project; that of the last change. */
  slug: string
  title: string
  format: string
}
