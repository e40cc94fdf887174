import { type Static, Type } from 'typebox'

import { type Operation, operation } from '../../http/operation.js'
import { described, optional } from '../../http/parameters/described.js'
import { isoTime } from '../../http/presenters/present-time.js'
import type { ViewAddressDeps } from './artifacts/in-place/view-address.js'
import { viewOf } from './artifacts/in-place/view-of.js'
import { jobOf, type JobOperationsDeps } from './job-operations-deps.js'
import { checkMayReadArtifacts } from './read-access.js'
import { JobId } from './schema.js'

/** Where a browser reads the files of a job in place. */
const ArtifactView = Type.Object({
  url: described(
    Type.String(),
    'Address of the file or folder. Everybody who has it can read all files of the archive.',
  ),
  expires_at: described(Type.String(), 'Time until which the address is valid.'),
})
type ArtifactView = Static<typeof ArtifactView>

/** Beyond the reference. */
export function artifactViewOperations(deps: JobOperationsDeps, addresses: ViewAddressDeps): Operation[] {
  return [
    operation('POST /projects/:id/jobs/:job_id/artifacts/view', {
      summary:
        'Create an address at which a browser shows the files of the artifacts archive of a job in place',
      access: 'read_pipelines',
      changesNothing: true,
      params: Type.Object({
        ...JobId.properties,
        path: optional(
          Type.String(),
          'Path of a file in the archive, or of a folder with an `index.html`; its root by default.',
        ),
      }),
      responses: { 201: ArtifactView },
      run: async (call): Promise<ArtifactView> => {
        const job = await jobOf(deps, call.project, call.params.job_id)
        checkMayReadArtifacts(call, job)
        const { url, until } = await viewOf({ artifacts: deps.artifacts, ...addresses }, job, {
          user: call.user,
          path: call.params.path ?? '',
          reply: call.reply,
        })
        return { url, expires_at: isoTime(until) }
      },
    }),
  ]
}
