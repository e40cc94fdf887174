import { tokenDigest } from '../../../../lib/tokens.js'
import { forbidden, notFound, unauthorized } from '../../../http/errors.js'
import type { StreamResponse } from '../../../http/operation.js'
import { isDependency } from '../../engine/dispatch/dependencies.js'
import { findJob } from '../../engine/job-store.js'
import type { JobVariablesDeps } from '../../engine/jobs/job-variables.js'
import type { AskedBytes } from '../send-bytes.js'
import { findJobByTokenDigest } from '../store.js'
import { downloadArchive, type DownloadDeps } from './artifact-downloads.js'

/**
 * Sends the archive of `jobId` to a running job: its own, or that of a dependency. Throws 401 if no running
 * job has this token, 403 if the job does not depend on `jobId`, and 404 without an archive (runner protocol,
 * 5.2).
 */
export async function downloadDependency(
  deps: DownloadDeps & JobVariablesDeps,
  jobId: number,
  token: string | undefined,
  asked: AskedBytes,
  options: { mayRedirect: boolean },
): Promise<StreamResponse> {
  const asking = token ? await findJobByTokenDigest(deps.database, tokenDigest(token)) : undefined
  if (!asking) throw unauthorized()
  const wanted = asking.id === jobId ? asking : await findJob(deps.database, jobId)
  if (!wanted) throw notFound()
  if (wanted.id !== asking.id && !(await isDependency(deps, asking, wanted))) throw forbidden()
  return downloadArchive(deps, wanted, asked, options)
}
