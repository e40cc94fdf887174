import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/repository/branches': 'reporter',
  'GET /projects/:id/repository/branch_summaries': 'reporter',
  'GET /projects/:id/repository/branches/:branch': 'reporter',
  'POST /projects/:id/repository/branches': 'developer',
  'DELETE /projects/:id/repository/branches/:branch': 'developer',
  'DELETE /projects/:id/repository/merged_branches': 'developer',
  'PUT /projects/:id/repository/branches/:branch/protect': 'maintainer',
  'PUT /projects/:id/repository/branches/:branch/unprotect': 'maintainer',
}
