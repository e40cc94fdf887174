import type { FastifyReply, FastifyRequest } from 'fastify'

import { addressOf } from '../../../../addresses/address-of.js'
import type { Database } from '../../../database/connect.js'
import { ApiError } from '../../../http/errors.js'
import { type ProjectAddressDeps, projectAddressServer } from '../../../http/project-address-server.js'
import { sendStream } from '../../../http/send.js'
import { mayReadArtifacts } from '../../engine/artifact-readers.js'
import { findJobOfProject } from '../store.js'
import { parseArtifactAddress } from './artifact-address.js'
import { downloadArchive, type DownloadDeps, downloadFile, redirectOf } from './artifact-downloads.js'
import { type ViewDeps, viewOf } from './in-place/view-of.js'

export interface ArtifactPageDeps extends DownloadDeps, ProjectAddressDeps, ViewDeps {
  database: Database
}

/**
 * Returns a handler for URLs of artifacts outside the API: downloads, and links to pages of artifacts. It resolves to true after responding, and
 * to false if the caller may not see the job, or if there is no such file. A browser is led to the page of the artifacts
 * where these have expired, or are for others.
 */
export function artifactServer(
  deps: ArtifactPageDeps,
): (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> {
  return projectAddressServer(deps, {
    parse: parseArtifactAddress,
    scopes: [],
    permission: 'read_pipelines',
    respond: async ({ address, project, user, accessLevel }, request, reply) => {
      const job = await findJobOfProject(deps.database, project.id, address.jobId)
      if (!job) return false
      const mayRead = mayReadArtifacts(accessLevel, job.options.artifacts)
      if (!mayRead || !(await deps.artifacts.find(job.id))) {
        if (!request.headers.accept?.includes('text/html')) return false
        const page = addressOf('jobs/artifacts', { project: address.project, id: String(job.id), path: '' })
        await reply.redirect(page, 302)
        return true
      }
      const { path, isInline, isPage } = address
      if (isPage) {
        const view = await viewOf(deps, job, { user, path: path ?? '', reply }).catch(unlessMissing)
        if (!view) return false
        await reply.header('cache-control', 'no-store').redirect(view.url, 302)
        return true
      }
      const download =
        path === undefined
          ? downloadArchive(deps, job, request.headers, redirectOf(request))
          : downloadFile(deps, job, path, { request, reply, ...(isInline && { isInline }) })
      const found = await download.catch(unlessMissing)
      if (!found) return false
      await sendStream(found, reply)
      return true
    },
  })
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 404) return undefined
  throw error
}
