import type { LeastRoles } from '../http/least-roles.js'

/** The operations that the tools call have roles of their own. */
export const roles: LeastRoles = {
  'POST /mcp': 'user',
}
