import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  ...rolesIn('/projects/:id', 'maintainer'),
  ...rolesIn('/groups/:id', 'owner'),
  'GET /projects/:id/users': 'guest',
  'POST /projects/:id/import_project_members/:project_id': 'maintainer',
}

function rolesIn(path: string, admin: 'maintainer' | 'owner'): LeastRoles {
  return {
    [`GET ${path}/members`]: 'guest',
    [`POST ${path}/members`]: admin,
    [`DELETE ${path}/members/:user_id`]: 'guest',
    [`GET ${path}/members/:user_id`]: 'guest',
    [`PUT ${path}/members/:user_id`]: admin,
    [`GET ${path}/members/all`]: 'guest',
    [`GET ${path}/members/all/:user_id`]: 'guest',
    [`GET ${path}/member_sources`]: 'guest',
    [`GET ${path}/access_requests`]: admin,
    [`POST ${path}/access_requests`]: 'guest',
    [`PUT ${path}/access_requests/:user_id/approve`]: admin,
    [`DELETE ${path}/access_requests/:user_id`]: 'guest',
    [`GET ${path}/invitations`]: admin,
    [`POST ${path}/invitations`]: admin,
    [`PUT ${path}/invitations/:email`]: admin,
    [`DELETE ${path}/invitations/:email`]: admin,
  }
}
