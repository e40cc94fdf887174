import { type Operation, operation } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import {
  presentPullMirror,
  type PullMirrorDeps,
  requirePullMirror,
  setPullMirror,
  startPull,
} from './pull-mirrors.js'
import { PullMirror, SetPullMirror } from './schema.js'

/** Projects that take over branches and tags of another repository (API, C2). */
export function pullMirrorOperations(deps: PullMirrorDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/mirror/pull', {
      summary: 'Get the pull mirror of a project with the result of its last update',
      access: 'admin_project',
      responses: { 200: PullMirror },
      run: async ({ project }) => presentPullMirror(deps, await requirePullMirror(database, project)),
    }),
    operation('PUT /projects/:id/mirror/pull', {
      summary: 'Make a project a pull mirror, or change it',
      access: 'admin_project',
      params: SetPullMirror,
      atLeastOne: [Object.keys(SetPullMirror.properties)],
      responses: { 200: PullMirror },
      run: async ({ project, user, params }) =>
        presentPullMirror(deps, await setPullMirror(deps, project, signedIn(user), params)),
    }),
    operation('POST /projects/:id/mirror/pull', {
      summary: 'Update a pull mirror now',
      access: 'admin_project',
      responses: { 200: PullMirror },
      run: async ({ project }) => presentPullMirror(deps, await startPull(database, project)),
    }),
  ]
}
