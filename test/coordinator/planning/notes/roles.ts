import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/issues/:issue_iid/notes': 'guest',
  'GET /projects/:id/issues/:issue_iid/notes/:note_id': 'guest',
  'POST /projects/:id/issues/:issue_iid/notes': 'guest',
  'PUT /projects/:id/issues/:issue_iid/notes/:note_id': 'guest',
  'DELETE /projects/:id/issues/:issue_iid/notes/:note_id': 'guest',
  'GET /projects/:id/merge_requests/:merge_request_iid/notes': 'reporter',
  'GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id': 'reporter',
  'POST /projects/:id/merge_requests/:merge_request_iid/notes': 'reporter',
  'PUT /projects/:id/merge_requests/:merge_request_iid/notes/:note_id': 'reporter',
  'DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id': 'reporter',
  'GET /groups/:id/epics/:epic_id/notes': 'guest',
  'GET /groups/:id/epics/:epic_id/notes/:note_id': 'guest',
  'POST /groups/:id/epics/:epic_id/notes': 'guest',
  'PUT /groups/:id/epics/:epic_id/notes/:note_id': 'guest',
  'DELETE /groups/:id/epics/:epic_id/notes/:note_id': 'guest',
  'GET /projects/:id/snippets/:snippet_id/notes': 'guest',
  'GET /projects/:id/snippets/:snippet_id/notes/:note_id': 'guest',
  'POST /projects/:id/snippets/:snippet_id/notes': 'guest',
  'PUT /projects/:id/snippets/:snippet_id/notes/:note_id': 'guest',
  'DELETE /projects/:id/snippets/:snippet_id/notes/:note_id': 'guest',
}
