import { useMemo } from 'preact/hooks'

import type { ViewedFiles } from '../../../../coordinator/planning/merge-requests/viewed-files/schema.js'
import { boot } from '../../../api/boot.js'
import { RequestError, request as send } from '../../../api/client.js'
import { patch, refresh, useRead } from '../../../api/use-read.js'
import { type ViewedMarks, withMark } from '../../../code/viewed-files.js'
import { notifyError } from '../../../frame/notices.js'
import { mergeRequestPath } from '../merge-request-path.js'
import type { ShownMergeRequest } from '../shown-merge-request.js'

/** The marks of the user, which the server keeps; undefined without a user. */
export function useViewedFiles({ project, request }: ShownMergeRequest): ViewedMarks | undefined {
  const path = `${mergeRequestPath(project, request.iid)}/viewed_files`
  const { data } = useRead<ViewedFiles>(boot.user ? path : undefined)
  const digests = useMemo(() => new Set(data?.digests), [data])
  if (!boot.user) return undefined
  return {
    digests,
    mark: (digest, isViewed) => {
      patch<ViewedFiles>(path, (known) => ({ digests: [...withMark(known.digests, digest, isViewed)] }))
      void save(path, { digests: [digest], viewed: isViewed })
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
