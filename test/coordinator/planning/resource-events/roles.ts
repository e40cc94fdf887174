import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/issues/:issue_iid/resource_label_events': 'guest',
  'GET /projects/:id/issues/:issue_iid/resource_label_events/:event_id': 'guest',
  'GET /projects/:id/merge_requests/:merge_request_iid/resource_label_events': 'reporter',
  'GET /projects/:id/merge_requests/:merge_request_iid/resource_label_events/:event_id': 'reporter',
  'GET /projects/:id/issues/:issue_iid/resource_state_events': 'guest',
  'GET /projects/:id/issues/:issue_iid/resource_state_events/:event_id': 'guest',
  'GET /projects/:id/merge_requests/:merge_request_iid/resource_state_events': 'reporter',
  'GET /projects/:id/merge_requests/:merge_request_iid/resource_state_events/:event_id': 'reporter',
  'GET /projects/:id/issues/:issue_iid/resource_milestone_events': 'guest',
  'GET /projects/:id/issues/:issue_iid/resource_milestone_events/:event_id': 'guest',
  'GET /projects/:id/merge_requests/:merge_request_iid/resource_milestone_events': 'reporter',
  'GET /projects/:id/merge_requests/:merge_request_iid/resource_milestone_events/:event_id': 'reporter',
  'GET /projects/:id/milestones/:milestone_id/burndown_events': 'guest',
  'GET /groups/:id/milestones/:milestone_id/burndown_events': 'guest',
}
