import { CircleCheck, CircleDot } from 'lucide'

import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { notifyError } from '../../../frame/notices.js'
import { Button } from '../../../kit/button.js'
import type { IssueProps } from './issue-props.js'

/** Closes or reopens the issue. */
export function StateButton({ issue, path, mayEdit, reason, onChanged }: IssueProps) {
  const isOpen = issue.state === 'opened'
  const changing = useAction(async () => {
    const body = { state_event: isOpen ? 'close' : 'reopen' }
    await requestJson(path, { method: 'PUT', body })
    onChanged()
  }, notifyError)
  if (!mayEdit) return null
  return (
    <Button
      icon={isOpen ? CircleCheck : CircleDot}
      isBusy={changing.isBusy}
      reason={reason}
      onClick={() => void changing.run()}
    >
      {isOpen ? 'Close issue' : 'Reopen issue'}
    </Button>
  )
}
