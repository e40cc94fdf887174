import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/freeze_periods': 'maintainer',
  'GET /projects/:id/freeze_periods/:freeze_period_id': 'maintainer',
  'POST /projects/:id/freeze_periods': 'maintainer',
  'PUT /projects/:id/freeze_periods/:freeze_period_id': 'maintainer',
  'DELETE /projects/:id/freeze_periods/:freeze_period_id': 'maintainer',
}
