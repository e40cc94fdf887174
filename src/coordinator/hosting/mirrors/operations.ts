import { Type } from 'typebox'

import { notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { signedIn } from '../../http/viewer.js'
import { refuseMirrors } from '../refuse-mirrors.js'
import {
  createMirror,
  editMirror,
  existingMirror,
  type MirrorDeps,
  presentMirror,
  syncMirror,
} from './remote-mirrors.js'
import { EditMirror, NewMirror, OneMirror, RemoteMirror } from './schema.js'
import { deleteMirror, listMirrors } from './store.js'

/** Remote mirrors: targets to which each change of a project is pushed (API, C2). */
export function remoteMirrorOperations(deps: MirrorDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/remote_mirrors', {
      summary: 'List push mirrors of a project',
      access: 'admin_project',
      responses: { 200: Type.Array(RemoteMirror) },
      paginated: true,
      run: async ({ project, paging }) => {
        const { rows, total } = await listMirrors(database, project.id, paging)
        return page(
          rows.map((row) => presentMirror(deps, row)),
          total,
        )
      },
    }),
    operation('GET /projects/:id/remote_mirrors/:mirror_id', {
      summary: 'Get a push mirror with the result of its last update',
      access: 'admin_project',
      params: OneMirror,
      responses: { 200: RemoteMirror },
      run: async ({ project, params }) =>
        presentMirror(deps, await existingMirror(database, project, params.mirror_id)),
    }),
    operation('POST /projects/:id/remote_mirrors', {
      summary: 'Create a push mirror',
      access: 'admin_project',
      params: NewMirror,
      responses: { 201: RemoteMirror },
      run: async ({ project, user, params }) => {
        await refuseMirrors(database, signedIn(user))
        return presentMirror(deps, await createMirror(deps, project, signedIn(user), params))
      },
    }),
    operation('PUT /projects/:id/remote_mirrors/:mirror_id', {
      summary: 'Update a push mirror',
      access: 'admin_project',
      params: EditMirror,
      responses: { 200: RemoteMirror },
      run: async ({ project, user, params }) => {
        await refuseMirrors(database, signedIn(user))
        return presentMirror(deps, await editMirror(deps, project, signedIn(user), params))
      },
    }),
    operation('POST /projects/:id/remote_mirrors/:mirror_id/sync', {
      summary: 'Push to a mirror now',
      access: 'admin_project',
      params: OneMirror,
      responses: { 204: NoBody },
      run: async ({ project, user, params }) => {
        await refuseMirrors(database, signedIn(user))
        await syncMirror(deps, project, params.mirror_id)
        return respond(204)
      },
    }),
    operation('DELETE /projects/:id/remote_mirrors/:mirror_id', {
      summary: 'Delete a push mirror',
      access: 'admin_project',
      params: OneMirror,
      responses: { 204: NoBody },
      run: async ({ project, params }) => {
        if (!(await deleteMirror(database, project.id, params.mirror_id))) throw notFound()
        return respond(204)
      },
    }),
  ]
}
