import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/repository/tags': 'reporter',
  'GET /projects/:id/repository/tags/:tag_name': 'reporter',
  'GET /projects/:id/repository/tags/:tag_name/signature': 'reporter',
  'POST /projects/:id/repository/tags': 'developer',
  'DELETE /projects/:id/repository/tags/:tag_name': 'developer',
  'POST /projects/:id/repository/tags/:tag_name/release': 'developer',
  'PUT /projects/:id/repository/tags/:tag_name/release': 'developer',
}
