import { presentPosition } from '../notes/present-position.js'
import type { DraftNote } from './schema.js'
import type { DraftRow } from './store.js'

const NOWHERE: DraftNote['position'] = {
  base_sha: null,
  start_sha: null,
  head_sha: null,
  position_type: 'text',
  old_path: null,
  new_path: null,
  old_line: null,
  new_line: null,
  line_range: null,
}

export function presentDraft(row: DraftRow): DraftNote {
  return {
    id: row.id,
    author_id: row.author_id,
    merge_request_id: row.merge_request_id,
    resolve_discussion: row.resolve_discussion ?? false,
    discussion_id: row.discussion_id,
    note: row.note,
    commit_id: row.commit_id,
    line_code: row.line_code,
    position: row.position ? presentPosition(row.position) : NOWHERE,
  }
}
