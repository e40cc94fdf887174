import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'DELETE /projects/:id/integrations/:slug': 'maintainer',
  'DELETE /projects/:id/services/:slug': 'maintainer',
  'GET /integration_kinds': 'user',
  'GET /projects/:id/integrations': 'maintainer',
  'GET /projects/:id/integrations/:slug': 'maintainer',
  'GET /projects/:id/services': 'maintainer',
  'GET /projects/:id/services/:slug': 'maintainer',
  'POST /projects/:id/integrations/:slug/test': 'maintainer',
  'POST /projects/:id/services/:slug/test': 'maintainer',
  'PUT /projects/:id/integrations/:slug': 'maintainer',
  'PUT /projects/:id/services/:slug': 'maintainer',
}
