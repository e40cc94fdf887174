import { Type } from 'typebox'

import type { Project } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { effectiveSettings } from '../../../database/stores/application-setting-store.js'
import { apiError, notFound } from '../../../http/errors.js'
import { NoBody, type Operation, operation, respond, stream } from '../../../http/operation.js'
import { page } from '../../../http/page.js'
import type { UploadedFile } from '../../../http/parameters/types.js'
import { isoTime } from '../../../http/presenters/present-time.js'
import { presentUser } from '../../../http/presenters/present-user.js'
import { signedIn } from '../../../http/viewer.js'
import { isShown, uploadHeaders } from './upload-headers.js'
import { BySecret, ByUploadId, Upload, UploadRecord, UploadResult } from './upload-schema.js'
import {
  deleteUpload,
  findUpload,
  type ListedUpload,
  listUploads,
  openUpload,
  saveUpload,
  type UploadDeps,
  type UploadRow,
} from './uploads.js'

export interface UploadOperationDeps extends UploadDeps {
  externalUrl: string
}

export function uploadFileOperations(deps: UploadOperationDeps): Operation[] {
  const { database, externalUrl } = deps
  return [
    operation('POST /projects/:id/uploads', {
      summary: 'Upload a file to a project',
      access: 'upload_files',
      params: Upload,
      responses: { 201: UploadResult },
      run: async ({ project, params, user }) => {
        await refuseTooLarge(database, params.file)
        return presentResult(project, await saveUpload(deps, project, signedIn(user), params.file))
      },
    }),
    operation('GET /projects/:id/uploads', {
      summary: 'List uploads of a project',
      access: 'admin_project',
      responses: { 200: Type.Array(UploadRecord) },
      paginated: true,
      run: async ({ project, paging }) => {
        const { rows, total } = await listUploads(database, project.id, paging)
        return page(
          rows.map((upload) => presentRecord(upload, externalUrl)),
          total,
        )
      },
    }),
    operation('GET /projects/:id/uploads/:secret/:filename', {
      summary: 'Download an uploaded file',
      access: 'read_project',
      params: BySecret,
      responses: { 200: Type.String({ format: 'binary', description: 'Content of the file.' }) },
      run: async ({ project, params }) => {
        const upload = await findUpload(database, project.id, params.secret, params.filename)
        if (!upload) throw notFound('Upload')
        return stream(await openUpload(deps, upload), upload.content_type, uploadHeaders(upload))
      },
    }),
    operation('DELETE /projects/:id/uploads/:upload_id', {
      summary: 'Delete an uploaded file',
      access: 'admin_project',
      params: ByUploadId,
      responses: { 204: NoBody },
      run: async ({ project, params }) => {
        if (!(await deleteUpload(deps, project.id, params.upload_id))) throw notFound('Upload')
        return respond(204)
      },
    }),
  ]
}

/** Throws 413 for a file that is larger than administrators allow. */
async function refuseTooLarge(database: Database, { size }: UploadedFile): Promise<void> {
  const { max_attachment_size: megabytes } = await effectiveSettings(database, 'max_attachment_size')
  if (size > megabytes * MEGABYTE) throw apiError('body_too_large')
}

const MEGABYTE = 1024 * 1024

/** The Markdown shows displayable files as images, and others as links (API, C2). */
function presentResult(project: Project, upload: UploadRow) {
  const { id, secret, filename } = upload
  const url = `/uploads/${secret}/${filename}`
  const alt = isShown(upload) ? filename.replace(/\.[^.]*$/, '') : filename
  return {
    id,
    alt,
    url,
    full_path: `/-/project/${project.id}${url}`,
    markdown: `${isShown(upload) ? '!' : ''}[${alt.replace(/[[\]]/g, '\\$&')}](${encodeURI(url)})`,
  }
}

function presentRecord({ row, uploader }: ListedUpload, externalUrl: string) {
  const { id, size, filename, created_at } = row
  return {
    id,
    size,
    filename,
    created_at: isoTime(created_at),
    uploaded_by: uploader ? presentUser(uploader, externalUrl) : null,
  }
}
