import type { FullUser } from '../../../coordinator/accounts/users/record/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { notify, notifyError } from '../../frame/notices.js'
import type { UserChange } from './user-changes.js'

/** Changes the state of an account. `onDone` is called before the lists are read again. */
export function useUserChange(
  user: Pick<FullUser, 'id' | 'name'>,
  { onDone, onDeleted }: { onDone: () => void; onDeleted?: (() => void) | undefined },
) {
  return useAction(async ({ action, done }: UserChange) => {
    await requestJson(`/users/${user.id}/${action}`, { method: 'POST' })
    onDone()
    notify(`${user.name} was ${done}`)
    if (action === 'reject') onDeleted?.()
    // Of a user who is rejected, the record no longer exists.
    await refresh(action === 'reject' ? '/users?' : '/users')
  }, notifyError)
}
