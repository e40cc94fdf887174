import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { notifyError } from '../../frame/notices.js'
import { mergeRequestPath } from './merge-request-path.js'
import type { ShownMergeRequest } from './shown-merge-request.js'

/** Changes fields of a merge request, and reads it again. */
export function useRequestChange({ project, request, reload }: ShownMergeRequest) {
  return useAction(async (fields: object) => {
    await requestJson(mergeRequestPath(project, request.iid), { method: 'PUT', body: fields })
    reload()
  }, notifyError)
}
