import { CircleCheck, CircleDashed, RotateCcw, X } from 'lucide'

import { Button } from '../../kit/button.js'
import { useMayChange } from './may-change.js'
import type { ShownMergeRequest } from './shown-merge-request.js'
import { useRequestChange } from './use-request-change.js'

/** What marks a draft at the beginning of a title. */
const MARK = /^\s*(?:\[(?:draft|wip)\]|\(draft\)|(?:draft|wip):)\s*/i

/** Marks a merge request as a draft or as ready, closes and reopens it. */
export function HeaderActions(shown: ShownMergeRequest) {
  const { project, request } = shown
  const { mayChange, reason } = useMayChange(project, request)
  const change = useRequestChange(shown)
  if (!mayChange || (request.state !== 'opened' && request.state !== 'closed')) return null
  const common = { reason, isBusy: change.isBusy }
  const set = (fields: object) => () => void change.run(fields)
  if (request.state === 'closed')
    return (
      <Button icon={RotateCcw} {...common} onClick={set({ state_event: 'reopen' })}>
        Reopen
      </Button>
    )
  return (
    <>
      {request.draft ? (
        <Button icon={CircleCheck} {...common} onClick={set({ title: request.title.replace(MARK, '') })}>
          Mark as ready
        </Button>
      ) : (
        <Button icon={CircleDashed} {...common} onClick={set({ title: `Draft: ${request.title}` })}>
          Mark as draft
        </Button>
      )}
      <Button icon={X} {...common} onClick={set({ state_event: 'close' })}>
        Close
      </Button>
    </>
  )
}
