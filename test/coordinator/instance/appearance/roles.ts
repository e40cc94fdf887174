import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /application/appearance': 'administrator',
  'PUT /application/appearance': 'administrator',
}
