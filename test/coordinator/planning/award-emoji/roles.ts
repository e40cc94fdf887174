import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/issues/:issue_iid/award_emoji': 'guest',
  'GET /projects/:id/issues/:issue_iid/award_emoji/:award_id': 'guest',
  'POST /projects/:id/issues/:issue_iid/award_emoji': 'guest',
  'DELETE /projects/:id/issues/:issue_iid/award_emoji/:award_id': 'guest',
  'GET /projects/:id/merge_requests/:merge_request_iid/award_emoji': 'reporter',
  'GET /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id': 'reporter',
  'POST /projects/:id/merge_requests/:merge_request_iid/award_emoji': 'reporter',
  'DELETE /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id': 'reporter',
  'GET /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji': 'guest',
  'GET /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji/:award_id': 'guest',
  'POST /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji': 'guest',
  'DELETE /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji/:award_id': 'guest',
  'GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji': 'reporter',
  'GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id': 'reporter',
  'POST /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji': 'reporter',
  'DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id': 'reporter',
  'GET /groups/:id/epics/:epic_id/notes/:note_id/award_emoji': 'guest',
  'GET /groups/:id/epics/:epic_id/notes/:note_id/award_emoji/:award_id': 'guest',
  'POST /groups/:id/epics/:epic_id/notes/:note_id/award_emoji': 'guest',
  'DELETE /groups/:id/epics/:epic_id/notes/:note_id/award_emoji/:award_id': 'guest',
}
