import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'DELETE /groups/:id/wikis/:slug': 'maintainer',
  'GET /groups/:id/wikis': 'guest',
  'GET /groups/:id/wikis/:slug': 'guest',
  'GET /groups/:id/wikis/:slug/diff': 'guest',
  'GET /groups/:id/wikis/:slug/versions': 'guest',
  'GET /groups/:id/wiki_attachments/:file_path': 'guest',
  'POST /groups/:id/wikis': 'developer',
  'POST /groups/:id/wikis/preview': 'developer',
  'POST /groups/:id/wikis/attachments': 'developer',
  'PUT /groups/:id/wikis/:slug': 'developer',
  'DELETE /projects/:id/wikis/:slug': 'maintainer',
  'GET /projects/:id/wikis': 'guest',
  'GET /projects/:id/wikis/:slug': 'guest',
  'GET /projects/:id/wikis/:slug/diff': 'guest',
  'GET /projects/:id/wikis/:slug/versions': 'guest',
  'GET /projects/:id/wiki_attachments/:file_path': 'guest',
  'POST /projects/:id/wikis': 'developer',
  'POST /projects/:id/wikis/preview': 'developer',
  'POST /projects/:id/wikis/attachments': 'developer',
  'PUT /projects/:id/wikis/:slug': 'developer',
}
