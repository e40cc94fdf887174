import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'DELETE /admin/push_rule': 'administrator',
  'DELETE /groups/:id/push_rule': 'owner',
  'DELETE /projects/:id/push_rule': 'maintainer',
  'GET /admin/push_rule': 'administrator',
  'GET /groups/:id/push_rule': 'owner',
  'GET /projects/:id/push_rule': 'maintainer',
  'POST /admin/push_rule': 'administrator',
  'POST /groups/:id/push_rule': 'owner',
  'POST /projects/:id/push_rule': 'maintainer',
  'PUT /admin/push_rule': 'administrator',
  'PUT /groups/:id/push_rule': 'owner',
  'PUT /projects/:id/push_rule': 'maintainer',
}
