import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /application/plan_limits': 'administrator',
  'PUT /application/plan_limits': 'administrator',
}
