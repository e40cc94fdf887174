import { useState } from 'preact/hooks'

import type { FullUser } from '../../../coordinator/accounts/users/record/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { notify, notifyError } from '../../frame/notices.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import type { UserChange } from './user-changes.js'

/** Changes the state of an account; `question` is the dialog before a change that must be confirmed. */
export function useUserChange(user: Pick<FullUser, 'id' | 'name'>, onDeleted?: () => void) {
  const [asked, setAsked] = useState<UserChange>()
  const change = useAction(async ({ action, done }: UserChange) => {
    await requestJson(`/users/${user.id}/${action}`, { method: 'POST' })
    setAsked(undefined)
    notify(`${user.name} was ${done}`)
    if (action === 'reject') onDeleted?.()
    // The record of a rejected user no longer exists.
    await refresh(action === 'reject' ? '/users?' : '/users')
  }, notifyError)
  return {
    isBusy: change.isBusy,
    start: (wanted: UserChange) => {
      if (wanted.question === undefined) void change.run(wanted)
      else setAsked(wanted)
    },
    question: asked && (
      <ConfirmDialog
        title={`${asked.label} ${user.name}?`}
        action={`${asked.label} user`}
        isBusy={change.isBusy}
        onConfirm={() => void change.run(asked)}
        onClose={() => setAsked(undefined)}
      >
        <p>{asked.question}</p>
      </ConfirmDialog>
    ),
  }
}
