import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'DELETE /projects/:id/wikis/:slug': 'maintainer',
  'GET /projects/:id/wikis': 'guest',
  'GET /projects/:id/wikis/:slug': 'guest',
  'POST /projects/:id/wikis': 'developer',
  'POST /projects/:id/wikis/attachments': 'developer',
  'PUT /projects/:id/wikis/:slug': 'developer',
}
