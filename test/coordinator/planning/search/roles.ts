import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /search': 'user',
  'GET /search/counts': 'user',
  'GET /groups/:id/search/counts': 'guest',
  'GET /projects/:id/search/counts': 'guest',
  'GET /groups/:id/search': 'guest',
  'GET /groups/:id/-/search': 'guest',
  'GET /projects/:id/search': 'guest',
  'GET /projects/:id/-/search': 'guest',
}
