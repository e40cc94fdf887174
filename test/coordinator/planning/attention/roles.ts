import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /user/attention': 'user',
}
