import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'POST /projects/:id/ref/:ref/trigger/pipeline': 'anyone',
  'POST /projects/:id/trigger/pipeline': 'anyone',
  'GET /projects/:id/triggers': 'maintainer',
  'POST /projects/:id/triggers': 'maintainer',
  'DELETE /projects/:id/triggers/:trigger_id': 'maintainer',
  'GET /projects/:id/triggers/:trigger_id': 'maintainer',
  'PUT /projects/:id/triggers/:trigger_id': 'maintainer',
  'POST /projects/:id/triggers/:trigger_id/take_ownership': 'maintainer',
}
