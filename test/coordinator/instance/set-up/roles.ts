import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /admin/set_up': 'administrator',
  'PUT /admin/set_up': 'administrator',
  'PUT /admin/set_up/steps/:step': 'administrator',
  'POST /admin/set_up/test_mail': 'administrator',
}
