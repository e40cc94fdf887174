import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /groups/:id/epics/:epic_iid/issues': 'guest',
  'POST /groups/:id/epics/:epic_iid/issues/:issue_id': 'reporter',
  'PUT /groups/:id/epics/:epic_iid/issues/:epic_issue_id': 'reporter',
  'DELETE /groups/:id/epics/:epic_iid/issues/:epic_issue_id': 'reporter',
}
