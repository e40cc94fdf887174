import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /ci/keywords': 'anyone',
  'POST /ci/lint': 'user',
  'GET /projects/:id/ci/lint': 'reporter',
  'POST /projects/:id/ci/lint': 'developer',
  'POST /projects/:id/pipeline/preview': 'developer',
}
