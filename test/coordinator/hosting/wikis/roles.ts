import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'DELETE /groups/:id/wikis/:slug': 'maintainer',
  'GET /groups/:id/wikis': 'guest',
  'GET /groups/:id/wikis/:slug': 'guest',
  'POST /groups/:id/wikis': 'developer',
  'POST /groups/:id/wikis/attachments': 'developer',
  'PUT /groups/:id/wikis/:slug': 'developer',
  'DELETE /projects/:id/wikis/:slug': 'maintainer',
  'GET /projects/:id/wikis': 'guest',
  'GET /projects/:id/wikis/:slug': 'guest',
  'POST /projects/:id/wikis': 'developer',
  'POST /projects/:id/wikis/attachments': 'developer',
  'PUT /projects/:id/wikis/:slug': 'developer',
}
