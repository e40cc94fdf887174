import type { LeastRoles } from '../http/least-roles.js'

/** The topics decide who may read them. */
export const roles: LeastRoles = {
  'GET /live': 'anyone',
}
