import type { FastifyReply } from 'fastify'

import type { User } from '../../../../access/caller.js'
import type { JobRow } from '../../../../database/tables/pipeline-rows.js'
import { clientGone } from '../../../../http/client-gone.js'
import { notFound } from '../../../../http/errors.js'
import { archiveOf, type DownloadDeps } from '../artifact-downloads.js'
import { signView, type ViewAddress, type ViewAddressDeps } from './view-address.js'
import { findWebFile } from './web-file.js'

export type ViewDeps = DownloadDeps & ViewAddressDeps

/** The address of a view for a user who may read the artifacts. Throws 404 if they have no such page. */
export async function viewOf(
  { artifacts, ...addresses }: ViewDeps,
  job: JobRow,
  { user, path, reply }: { user: User | undefined; path: string; reply: FastifyReply },
): Promise<ViewAddress> {
  const file = await findWebFile(artifacts, await archiveOf(artifacts, job), path, clientGone(reply))
  if (file.kind === 'missing') throw notFound()
  return signView(addresses, {
    jobId: job.id,
    userId: user?.id,
    path: file.kind === 'folder' ? `${path}/` : path,
  })
}
