import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/badges': 'guest',
  'GET /projects/:id/badges/render': 'maintainer',
  'GET /projects/:id/badges/:badge_id': 'guest',
  'POST /projects/:id/badges': 'maintainer',
  'PUT /projects/:id/badges/:badge_id': 'maintainer',
  'DELETE /projects/:id/badges/:badge_id': 'maintainer',
  'GET /groups/:id/badges': 'guest',
  'GET /groups/:id/badges/render': 'owner',
  'GET /groups/:id/badges/:badge_id': 'guest',
  'POST /groups/:id/badges': 'owner',
  'PUT /groups/:id/badges/:badge_id': 'owner',
  'DELETE /groups/:id/badges/:badge_id': 'owner',
}
