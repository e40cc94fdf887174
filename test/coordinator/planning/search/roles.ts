import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /search': 'user',
  'GET /groups/:id/search': 'guest',
  'GET /groups/:id/-/search': 'guest',
  'GET /projects/:id/search': 'guest',
  'GET /projects/:id/-/search': 'guest',
}
