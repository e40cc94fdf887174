import type { LeastRoles } from '../http/least-roles.js'

/** Users see their own imports only. */
export const roles: LeastRoles = {
  'GET /bulk_imports': 'user',
  'POST /bulk_imports': 'user',
  'GET /bulk_imports/:import_id': 'user',
  'GET /bulk_imports/:import_id/entities': 'user',
  'GET /bulk_imports/:import_id/entities/:entity_id': 'user',
  'GET /bulk_imports/:import_id/entities/:entity_id/failures': 'user',
  'GET /bulk_imports/:import_id/report': 'user',
  'POST /bulk_imports/:import_id/cancel': 'user',
}
