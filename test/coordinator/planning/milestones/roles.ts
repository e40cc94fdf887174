import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/milestones': 'guest',
  'GET /projects/:id/milestones/:milestone_id': 'guest',
  'POST /projects/:id/milestones': 'reporting member',
  'PUT /projects/:id/milestones/:milestone_id': 'reporting member',
  'DELETE /projects/:id/milestones/:milestone_id': 'reporting member',
  'POST /projects/:id/milestones/:milestone_id/promote': 'reporting member',
  'GET /projects/:id/milestones/:milestone_id/issues': 'guest',
  'GET /groups/:id/milestones/:milestone_id/issues': 'guest',
  'GET /groups/:id/milestones': 'guest',
  'GET /groups/:id/milestones/:milestone_id': 'guest',
  'POST /groups/:id/milestones': 'reporter',
  'PUT /groups/:id/milestones/:milestone_id': 'reporter',
  'DELETE /groups/:id/milestones/:milestone_id': 'reporter',
}
