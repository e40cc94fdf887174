import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/hooks': 'maintainer',
  'POST /projects/:id/hooks': 'maintainer',
  'DELETE /projects/:id/hooks/:hook_id': 'maintainer',
  'GET /projects/:id/hooks/:hook_id': 'maintainer',
  'PUT /projects/:id/hooks/:hook_id': 'maintainer',
}
