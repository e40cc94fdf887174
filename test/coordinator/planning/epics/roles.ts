import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /groups/:id/epics': 'guest',
  'GET /groups/:id/epics/:epic_iid': 'guest',
  'POST /groups/:id/epics': 'reporter',
  'PUT /groups/:id/epics/:epic_iid': 'reporter',
  'DELETE /groups/:id/epics/:epic_iid': 'owner',
}
