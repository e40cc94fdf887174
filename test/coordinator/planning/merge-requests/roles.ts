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
  // Who may merge and push to the branches; others are refused when the merge request is known.
  'PUT /projects/:id/merge_requests/:merge_request_iid/merge': 'reporter',
  'PUT /projects/:id/merge_requests/:merge_request_iid/rebase': 'reporter',
  'POST /projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds': 'developer',
  'GET /projects/:id/merge_requests/:merge_request_iid/merge_ref': 'reporter',
  'GET /projects/:id/merge_requests/:merge_request_iid/versions': 'reporter',
  'GET /projects/:id/merge_requests/:merge_request_iid/versions/:version_id': 'reporter',
  'GET /projects/:id/merge_requests/:merge_request_iid/commits': 'reporter',
  'GET /projects/:id/merge_requests/:merge_request_iid/changes': 'reporter',
  'GET /projects/:id/merge_requests/:merge_request_iid/diffs': 'reporter',
  'GET /projects/:id/merge_requests/:merge_request_iid/raw_diffs': 'reporter',
  'GET /projects/:id/repository/commits/:sha/merge_requests': 'reporter',
  // Approvals are refused to others than developers when the merge request is known.
  'GET /projects/:id/merge_requests/:merge_request_iid/approvals': 'reporter',
  'POST /projects/:id/merge_requests/:merge_request_iid/approve': 'reporter',
  'POST /projects/:id/merge_requests/:merge_request_iid/unapprove': 'reporter',
  'PUT /projects/:id/merge_requests/:merge_request_iid/reset_approvals': 'developer',
  'POST /projects/:id/merge_requests/:merge_request_iid/subscribe': 'reporter',
  'POST /projects/:id/merge_requests/:merge_request_iid/unsubscribe': 'reporter',
  'GET /projects/:id/merge_requests/:merge_request_iid/participants': 'reporter',
  'GET /projects/:id/merge_requests/:merge_request_iid/reviewers': 'reporter',
  'GET /projects/:id/merge_requests/:merge_request_iid/time_stats': 'reporter',
  'POST /projects/:id/merge_requests/:merge_request_iid/time_estimate': 'reporting member',
  'POST /projects/:id/merge_requests/:merge_request_iid/reset_time_estimate': 'reporting member',
  'POST /projects/:id/merge_requests/:merge_request_iid/add_spent_time': 'reporting member',
  'POST /projects/:id/merge_requests/:merge_request_iid/reset_spent_time': 'reporting member',
  'GET /projects/:id/approvals': 'reporter',
  'POST /projects/:id/approvals': 'maintainer',
  'GET /projects/:id/merge_requests/:merge_request_iid/pipelines': 'reporter',
  // Developers of the fork start it there; others are refused when the merge request is known.
  'POST /projects/:id/merge_requests/:merge_request_iid/pipelines': 'reporter',
}
