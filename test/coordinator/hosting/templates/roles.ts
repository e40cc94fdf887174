import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /templates/gitignores': 'anyone',
  'GET /templates/gitignores/:key': 'anyone',
  'GET /templates/gitlab_ci_ymls': 'anyone',
  'GET /templates/gitlab_ci_ymls/:key': 'anyone',
  'GET /templates/dockerfiles': 'anyone',
  'GET /templates/dockerfiles/:key': 'anyone',
  'GET /templates/licenses': 'anyone',
  'GET /templates/licenses/:key': 'anyone',
  'GET /projects/:id/templates/:type': 'guest',
  'GET /projects/:id/templates/:type/:name': 'guest',
}
