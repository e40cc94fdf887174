import { extname } from 'node:path'

import { Type } from 'typebox'

import { MAINTAINER } from '../../access/access-levels.js'
import type { Caller, Project } from '../../access/caller.js'
import { apiError } from '../../http/errors.js'
import { disposition } from '../../http/header-text.js'
import { NoBody, type Operation, operation, respond, stream } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { BySecureFileId, NewSecureFile, SecureFile } from './schema.js'
import {
  addSecureFile,
  deleteSecureFile,
  openSecureFile,
  requireSecureFile,
  type SecureFileDeps,
} from './secure-files.js'
import { listSecureFiles, type SecureFileRow } from './store.js'

/** Keys, certificates and the like that jobs fetch with their tokens (API, I4). */
export function secureFileOperations(deps: SecureFileDeps): Operation[] {
  return [
    operation('GET /projects/:id/secure_files', {
      summary: 'List project secure files',
      access: 'read_secure_files',
      jobToken: true,
      responses: { 200: Type.Array(SecureFile) },
      paginated: true,
      run: async ({ project, paging, caller, accessLevel }) => {
        checkMayRead(project, caller, accessLevel)
        const { rows, total } = await listSecureFiles(deps.database, project.id, paging)
        return page(rows.map(presentSecureFile), total)
      },
    }),
    operation('POST /projects/:id/secure_files', {
      summary: 'Upload a secure file',
      access: 'admin_secure_files',
      params: NewSecureFile,
      responses: { 201: SecureFile },
      run: async ({ project, params }) => presentSecureFile(await addSecureFile(deps, project, params)),
    }),
    operation('GET /projects/:id/secure_files/:secure_file_id', {
      summary: 'Get the details of a secure file',
      access: 'read_secure_files',
      jobToken: true,
      params: BySecureFileId,
      responses: { 200: SecureFile },
      run: async ({ project, params, caller, accessLevel }) => {
        checkMayRead(project, caller, accessLevel)
        return presentSecureFile(await requireSecureFile(deps, project, params.secure_file_id))
      },
    }),
    operation('GET /projects/:id/secure_files/:secure_file_id/download', {
      summary: 'Download a secure file',
      access: 'read_secure_files',
      jobToken: true,
      params: BySecureFileId,
      responses: { 200: Type.String({ format: 'binary', description: 'Content of the file.' }) },
      run: async ({ project, params, caller, accessLevel }) => {
        checkMayRead(project, caller, accessLevel)
        const file = await requireSecureFile(deps, project, params.secure_file_id)
        return stream(await openSecureFile(deps, file), 'application/octet-stream', {
          'content-length': String(file.size),
          'content-disposition': disposition('attachment', file.name),
          'cache-control': 'no-store',
        })
      },
    }),
    operation('DELETE /projects/:id/secure_files/:secure_file_id', {
      summary: 'Delete a secure file',
      access: 'admin_secure_files',
      params: BySecureFileId,
      responses: { 204: NoBody },
      run: async ({ project, params }) => {
        await deleteSecureFile(deps, project, params.secure_file_id)
        return respond(204)
      },
    }),
  ]
}

/**
 * Throws 403 if the project restricts its secure files to protected refs, for jobs of other refs and for
 * users below maintainer. Otherwise developers could use their own token to read files that are refused to their jobs.
 */
function checkMayRead(project: Project, caller: Caller, accessLevel: number): void {
  if (!project.secure_files_protected_refs_only) return
  const mayRead =
    caller.kind === 'job'
      ? caller.job.protected && caller.job.project_id === project.id
      : accessLevel >= MAINTAINER
  if (mayRead) return
  throw apiError('secure_files_forbidden')
}

function presentSecureFile({ id, name, sha256, created_at }: SecureFileRow): SecureFile {
  return {
    id,
    name,
    checksum: sha256,
    checksum_algorithm: 'sha256',
    created_at: isoTime(created_at),
    expires_at: null,
    metadata: null,
    file_extension: extname(name).slice(1) || null,
  }
}
