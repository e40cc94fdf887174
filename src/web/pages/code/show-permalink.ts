import { projectApi } from '../../../addresses/first-reads.js'
import type { SingleCommit } from '../../../coordinator/hosting/commits/schema.js'
import { RequestError } from '../../api/client.js'
import { readOnce } from '../../api/use-read.js'
import { navigate } from '../../frame/location.js'
import { notify, notifyError } from '../../frame/notices.js'
import { copyText } from '../../kit/copy-button.js'

/** Goes to the address of the present commit of a branch or tag, and copies it. */
export async function showPermalink(
  project: string,
  ref: string,
  hrefOf: (sha: string) => string,
): Promise<void> {
  try {
    const { id } = await readOnce<SingleCommit>(
      `${projectApi(project)}/repository/commits/${encodeURIComponent(ref)}?stats=false`,
    )
    navigate(hrefOf(id))
    await copyText(location.href)
    notify('The permanent address was copied')
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    notifyError(error)
  }
}
