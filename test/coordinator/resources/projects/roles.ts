import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects': 'anyone',
  'POST /projects': 'user',
  'DELETE /projects/:id': 'owner',
  'GET /projects/:id': 'guest',
  'PUT /projects/:id': 'maintainer',
  'POST /projects/user/:user_id': 'administrator',
  'GET /projects/:id/forks': 'guest',
  'GET /projects/:id/languages': 'reporter',
  'GET /users/:user_id/projects': 'anyone',
  'GET /users/:user_id/starred_projects': 'anyone',
  'GET /users/:user_id/contributed_projects': 'anyone',
}
