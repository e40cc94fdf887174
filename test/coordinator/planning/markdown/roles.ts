import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'POST /markdown': 'user',
}
