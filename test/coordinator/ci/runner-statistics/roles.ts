import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /runners/waits': 'administrator',
  'GET /runners/queue': 'administrator',
  'GET /runners/failures': 'administrator',
  'GET /runners/use': 'administrator',
  'GET /projects/:id/runners/queue': 'maintainer',
  'GET /groups/:id/runners/queue': 'owner',
  'GET /projects/:id/runners/waits': 'pipeline reader',
  'GET /groups/:id/runners/waits': 'owner',
}
