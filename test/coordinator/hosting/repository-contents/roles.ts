import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/repository/tree': 'reporter',
  'GET /projects/:id/repository/tree_commits': 'reporter',
  'GET /projects/:id/repository/rendered': 'reporter',
  'GET /projects/:id/repository/paths': 'reporter',
  'GET /projects/:id/repository/blobs/:sha': 'reporter',
  'GET /projects/:id/repository/blobs/:sha/raw': 'reporter',
  'GET /projects/:id/repository/archive': 'reporter',
  'GET /projects/:id/repository/archive.:format': 'reporter',
  'GET /projects/:id/repository/compare': 'reporter',
  'GET /projects/:id/repository/contributors': 'reporter',
  'GET /projects/:id/repository/merge_base': 'reporter',
  'GET /projects/:id/snapshot': 'administrator',
  'GET /projects/:id/storage': 'administrator',
}
