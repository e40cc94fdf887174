import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/members': 'guest',
  'POST /projects/:id/members': 'maintainer',
  'DELETE /projects/:id/members/:user_id': 'guest',
  'GET /projects/:id/members/:user_id': 'guest',
  'PUT /projects/:id/members/:user_id': 'maintainer',
  'GET /projects/:id/members/all': 'guest',
  'GET /projects/:id/members/all/:user_id': 'guest',
}
