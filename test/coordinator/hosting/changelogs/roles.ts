import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/repository/changelog': 'reporter',
  'POST /projects/:id/repository/changelog': 'developer',
}
