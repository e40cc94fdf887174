import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/repository/commits/:sha/statuses': 'pipeline reader',
  'POST /projects/:id/statuses/:sha': 'developer',
}
