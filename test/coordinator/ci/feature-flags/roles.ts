import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/feature_flags': 'developer',
  'GET /projects/:id/feature_flags/:feature_flag_name': 'developer',
  'POST /projects/:id/feature_flags': 'developer',
  'PUT /projects/:id/feature_flags/:feature_flag_name': 'developer',
  'DELETE /projects/:id/feature_flags/:feature_flag_name': 'developer',
  'GET /projects/:id/feature_flags_client': 'developer',
  'GET /projects/:id/feature_flags_user_lists': 'developer',
  'GET /projects/:id/feature_flags_user_lists/:iid': 'developer',
  'POST /projects/:id/feature_flags_user_lists': 'developer',
  'PUT /projects/:id/feature_flags_user_lists/:iid': 'developer',
  'DELETE /projects/:id/feature_flags_user_lists/:iid': 'developer',
  'GET /feature_flags/unleash/:project_id': 'anyone',
  'GET /feature_flags/unleash/:project_id/features': 'anyone',
  'GET /feature_flags/unleash/:project_id/client/features': 'anyone',
  'POST /feature_flags/unleash/:project_id/client/register': 'anyone',
  'POST /feature_flags/unleash/:project_id/client/metrics': 'anyone',
}
