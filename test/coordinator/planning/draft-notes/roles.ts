import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/merge_requests/:merge_request_iid/draft_notes': 'reporter',
  'GET /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id': 'reporter',
  'POST /projects/:id/merge_requests/:merge_request_iid/draft_notes': 'reporter',
  'PUT /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id': 'reporter',
  'DELETE /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id': 'reporter',
  'PUT /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id/publish': 'reporter',
  'POST /projects/:id/merge_requests/:merge_request_iid/draft_notes/bulk_publish': 'reporter',
}
