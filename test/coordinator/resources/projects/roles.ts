import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects': 'anyone',
  'POST /projects': 'user',
  'DELETE /projects/:id': 'owner',
  'GET /projects/:id': 'guest',
  'PUT /projects/:id': 'maintainer',
  'POST /projects/user/:user_id': 'administrator',
  'GET /users/:user_id/projects': 'anyone',
}
