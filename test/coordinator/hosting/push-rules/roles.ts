import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'DELETE /groups/:id/push_rule': 'owner',
  'DELETE /projects/:id/push_rule': 'maintainer',
  'GET /groups/:id/push_rule': 'owner',
  'GET /projects/:id/push_rule': 'maintainer',
  'POST /groups/:id/push_rule': 'owner',
  'POST /projects/:id/push_rule': 'maintainer',
  'PUT /groups/:id/push_rule': 'owner',
  'PUT /projects/:id/push_rule': 'maintainer',
}
