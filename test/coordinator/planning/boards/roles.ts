import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/boards': 'guest',
  'GET /projects/:id/boards/:board_id': 'guest',
  'POST /projects/:id/boards': 'reporting member',
  'PUT /projects/:id/boards/:board_id': 'reporting member',
  'DELETE /projects/:id/boards/:board_id': 'reporting member',
  'GET /projects/:id/boards/:board_id/lists': 'guest',
  'GET /projects/:id/boards/:board_id/lists/:list_id': 'guest',
  'POST /projects/:id/boards/:board_id/lists': 'reporting member',
  'PUT /projects/:id/boards/:board_id/lists/:list_id': 'reporting member',
  'DELETE /projects/:id/boards/:board_id/lists/:list_id': 'reporting member',
  'GET /groups/:id/boards': 'guest',
  'GET /groups/:id/boards/:board_id': 'guest',
  'POST /groups/:id/boards': 'reporter',
  'PUT /groups/:id/boards/:board_id': 'reporter',
  'DELETE /groups/:id/boards/:board_id': 'reporter',
  'GET /groups/:id/boards/:board_id/lists': 'guest',
  'GET /groups/:id/boards/:board_id/lists/:list_id': 'guest',
  'POST /groups/:id/boards/:board_id/lists': 'reporter',
  'PUT /groups/:id/boards/:board_id/lists/:list_id': 'reporter',
  'DELETE /groups/:id/boards/:board_id/lists/:list_id': 'reporter',
}
