import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /metadata': 'user',
  'GET /version': 'user',
}
