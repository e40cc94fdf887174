import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /groups/:id/epics': 'guest',
  'GET /groups/:id/epics/:epic_iid': 'guest',
  'POST /groups/:id/epics': 'reporter',
  'PUT /groups/:id/epics/:epic_iid': 'reporter',
  'DELETE /groups/:id/epics/:epic_iid': 'owner',
  'GET /groups/:id/epics/:epic_iid/epics': 'guest',
  'POST /groups/:id/epics/:epic_iid/epics': 'reporter',
  'POST /groups/:id/epics/:epic_iid/epics/:child_epic_id': 'reporter',
  'PUT /groups/:id/epics/:epic_iid/epics/:child_epic_id': 'reporter',
  'DELETE /groups/:id/epics/:epic_iid/epics/:child_epic_id': 'reporter',
  'GET /groups/:id/epics/:epic_iid/related_epics': 'guest',
  'POST /groups/:id/epics/:epic_iid/related_epics': 'reporter',
  'DELETE /groups/:id/epics/:epic_iid/related_epics/:related_epic_link_id': 'reporter',
}
