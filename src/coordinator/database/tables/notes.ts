import type { Default, Id, NullableJson, Timestamp } from '../columns.js'

/** `DiffNote`: at a line of a diff; `DiscussionNote`: in a thread; null = a comment of its own. */
type NoteType = 'DiscussionNote' | 'DiffNote'

/** A line of the diff of a merge request version, as clients name it (API, G1). */
export interface NotePosition {
  base_sha: string
  start_sha: string
  head_sha: string
  position_type: 'text' | 'image' | 'file'
  old_path: string | null
  new_path: string | null
  /** Null for a line that was added. */
  old_line: number | null
  /** Null for a line that was removed. */
  new_line: number | null
  /** Absent or null for one line. Earlier releases stored what the client had sent. */
  line_range?: LineRange | Record<string, unknown> | null
  width?: number | null
  height?: number | null
  x?: number | null
  y?: number | null
}

/** The lines of a comment on several lines. */
export interface LineRange {
  start: LineRangeEnd
  end: LineRangeEnd
}

export interface LineRangeEnd {
  line_code: string
  /** Null for a line that is the same before and after. */
  type: 'new' | 'old' | 'expanded' | null
  old_line: number | null
  new_line: number | null
}

/**
 * A comment on an issue, a merge request, an epic or a commit, of which one column is set, or a record of a change
 * (API, G1).
 */
export interface NoteTable {
  id: Id
  /** Null for a note of an epic. */
  project_id: number | null
  issue_id: number | null
  merge_request_id: number | null
  epic_id: number | null
  snippet_id: number | null
  /** ID of the commit that is commented on. */
  commit_sha: string | null
  /** 40 hexadecimal digits; notes of one thread have the same. */
  discussion_id: string
  type: NoteType | null
  author_id: number
  body: string
  /** Whether the coordinator wrote it to record a change. */
  system: Default<boolean>
  /** Kind of that change: `closed`; null for a comment. */
  action: string | null
  /**
   * For the action `cross_reference`: what names the owner of the note. For a commit it is the project. Null also for what
   * is not known; nobody sees such a note. No foreign keys: what was deleted is seen by nobody.
   */
  named_by_issue_id: number | null
  named_by_merge_request_id: number | null
  named_by_project_id: number | null
  /** Whether only members from the reporter role on see it. */
  internal: Default<boolean>
  resolved_at: Timestamp | null
  resolved_by_id: number | null
  /** For a `DiffNote`: its line in the latest version, and in the version for which it was written. */
  position: NullableJson<NotePosition>
  original_position: NullableJson<NotePosition>
  /** Head of `position`; null without one. */
  head_sha: string | null
  /** Time at which a push changed its line, so that it stays at its version; null = not. */
  outdated_at: Timestamp | null
  /** Identifies the line within a diff. */
  line_code: string | null
  created_at: Timestamp
  updated_at: Timestamp
  /** Time of the last change of the text; null = never. */
  last_edited_at: Timestamp | null
}

/** A comment on a commit as the older API and webhooks show it. */
export interface CommitComment {
  id: number
  project_id: number
  sha: string
  author_id: number
  note: string
  path: string | null
  line: number | null
  line_type: 'new' | 'old' | null
  created_at: number
}
