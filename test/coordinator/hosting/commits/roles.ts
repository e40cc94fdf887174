import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/repository/commits': 'reporter',
  'GET /projects/:id/repository/commits/:sha': 'reporter',
  'GET /projects/:id/repository/commits/:sha/refs': 'reporter',
  'GET /projects/:id/repository/commits/:sha/diff': 'reporter',
  'GET /projects/:id/repository/commits/:sha/sequence': 'reporter',
  'GET /projects/:id/repository/commits/:sha/comments': 'reporter',
  'GET /projects/:id/repository/commits/:sha/signature': 'reporter',
  'POST /projects/:id/repository/commits': 'developer',
  'PUT /projects/:id/repository/submodules/:submodule': 'developer',
  'POST /projects/:id/repository/commits/:sha/cherry_pick': 'developer',
  'POST /projects/:id/repository/commits/:sha/revert': 'developer',
  'POST /projects/:id/repository/commits/:sha/comments': 'reporter',
}
