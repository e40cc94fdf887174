import { useMemo } from 'preact/hooks'

import type { ViewedFiles } from '../../../../coordinator/planning/merge-requests/viewed-files/schema.js'
import { boot } from '../../../api/boot.js'
import { RequestError, request as send } from '../../../api/client.js'
import { type Failure, failureOf } from '../../../api/failure.js'
import { patch, refresh, useRead } from '../../../api/use-read.js'
import { type ViewedMarks, withMark } from '../../../code/viewed-files.js'
import { notifyError } from '../../../frame/notices.js'
import { mergeRequestPath } from '../merge-request-path.js'
import type { ShownMergeRequest } from '../shown-merge-request.js'

/** The marks of the user, which the server keeps; none without a user, and where they could not be read. */
export function useViewedFiles({ project, request }: ShownMergeRequest): {
  marks: ViewedMarks | undefined
  failure: Failure | undefined
} {
  const path = `${mergeRequestPath(project, request.iid)}/viewed_files`
  const read = useRead<ViewedFiles>(boot.user ? path : undefined)
  const { data } = read
  const digests = useMemo(() => new Set(data?.digests), [data])
  const failure = failureOf(read)
  if (!boot.user) return { marks: undefined, failure }
  return {
    failure,
    marks: {
      digests,
      mark: (digest, isViewed) => {
        patch<ViewedFiles>(path, (known) => ({ digests: [...withMark(known.digests, digest, isViewed)] }))
        void save(path, { digests: [digest], viewed: isViewed })
      },
    },
  }
}

async function save(path: string, body: object): Promise<void> {
  try {
    await send(path, { method: 'PUT', body })
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    notifyError(error)
    void refresh(path)
  }
}
