import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /merge_requests': 'user',
  'GET /groups/:id/merge_requests': 'guest',
  'GET /projects/:id/merge_requests': 'reporter',
  'GET /projects/:id/merge_requests/:merge_request_iid': 'reporter',
  'POST /projects/:id/merge_requests': 'developer',
  // Authors and assignees change their own; others are refused when the merge request is known.
  'PUT /projects/:id/merge_requests/:merge_request_iid': 'reporter',
  'DELETE /projects/:id/merge_requests/:merge_request_iid': 'owner',
  'GET /projects/:id/merge_requests/:merge_request_iid/pipelines': 'reporter',
  // Developers of the fork start it there; others are refused when the merge request is known.
  'POST /projects/:id/merge_requests/:merge_request_iid/pipelines': 'reporter',
}
