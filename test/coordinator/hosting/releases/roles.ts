import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'POST /projects/:id/releases/:tag_name/evidence': 'developer',
  'GET /projects/:id/releases/:tag_name/evidences/:evidence_id': 'reporter',
  'GET /groups/:id/releases': 'guest',
  'GET /projects/:id/releases': 'guest',
  'POST /projects/:id/releases': 'developer',
  'DELETE /projects/:id/releases/:tag_name': 'developer',
  'GET /projects/:id/releases/:tag_name': 'guest',
  'PUT /projects/:id/releases/:tag_name': 'developer',
  'GET /projects/:id/releases/:tag_name/assets/links': 'guest',
  'POST /projects/:id/releases/:tag_name/assets/links': 'developer',
  'DELETE /projects/:id/releases/:tag_name/assets/links/:link_id': 'developer',
  'GET /projects/:id/releases/:tag_name/assets/links/:link_id': 'guest',
  'PUT /projects/:id/releases/:tag_name/assets/links/:link_id': 'developer',
  'GET /projects/:id/releases/:tag_name/downloads/*direct_asset_path': 'guest',
  'GET /projects/:id/releases/permalink/latest': 'guest',
  'GET /projects/:id/releases/permalink/latest/*suffix_path': 'guest',
}
