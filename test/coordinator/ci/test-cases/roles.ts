import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/test_cases': 'pipeline reader',
  'GET /projects/:id/test_cases/:digest': 'pipeline reader',
}
