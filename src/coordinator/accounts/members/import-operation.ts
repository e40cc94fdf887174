import type { Project, User } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { importMembers } from './import-members.js'
import type { MemberDeps } from './members.js'
import { ImportedMembers, ImportMembers } from './schema.js'

export interface ImportMembersDeps extends MemberDeps {
  /** Finds a project by ID, if the user may read its members. */
  projectWithReadableMembers: (user: User, id: string) => Promise<Project | undefined>
}

export function importMembersOperation(deps: ImportMembersDeps): Operation {
  return operation('POST /projects/:id/import_project_members/:project_id', {
    summary: 'Add the members of another project',
    access: 'admin_members',
    params: ImportMembers,
    responses: { 200: ImportedMembers },
    run: async ({ project, params, user: caller, accessLevel }) => {
      const user = signedIn(caller)
      const from = await deps.projectWithReadableMembers(user, String(params.project_id))
      if (!from) throw notFound('Project')
      return importMembers(deps, project, from, { user, accessLevel })
    },
  })
}
