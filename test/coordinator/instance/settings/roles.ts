import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /application/settings/fixed': 'administrator',
  'GET /application/settings': 'administrator',
  'PUT /application/settings': 'administrator',
}
