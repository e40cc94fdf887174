import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /todos': 'user',
  'POST /todos/:id/mark_as_done': 'user',
  'POST /todos/:id/mark_as_pending': 'user',
  'POST /todos/mark_as_done': 'user',
  'POST /projects/:id/issues/:issue_iid/todo': 'guest',
  'POST /projects/:id/merge_requests/:merge_request_iid/todo': 'reporter',
}
