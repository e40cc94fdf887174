import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/issues/:issue_iid/closed_by': 'guest',
  'GET /projects/:id/issues/:issue_iid/related_merge_requests': 'guest',
  'GET /projects/:id/merge_requests/:merge_request_iid/closes_issues': 'reporter',
  'GET /projects/:id/merge_requests/:merge_request_iid/related_issues': 'reporter',
}
