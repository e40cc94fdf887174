import { UserPlus } from 'lucide'
import { useState } from 'preact/hooks'

import { groupApi } from '../../addresses/first-reads.js'
import type { Group } from '../../coordinator/accounts/groups/schema.js'
import { boot } from '../api/boot.js'
import { request } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { useRead } from '../api/use-read.js'
import { Button } from '../kit/button.js'
import { notify, notifyError } from './notices.js'

/** Whether the user is a direct member of a group; undefined while that is not known. */
export function useIsMember(group: Group): boolean | undefined {
  const me = boot.user
  const path = me ? `${groupApi(group.full_path)}/members?user_ids[]=${me.id}` : undefined
  const members = useRead<{ id: number }[]>(path).data
  return members && members.length > 0
}

/** Asks the owners of a group for access, if the group allows that. */
export function RequestAccess({ group }: { group: Group }) {
  const isMember = useIsMember(group)
  const [hasAsked, setAsked] = useState(false)
  const ask = useAction(async () => {
    await request(`${groupApi(group.full_path)}/access_requests`, { method: 'POST' })
    setAsked(true)
    notify('The owners of the group have been asked.')
  }, notifyError)
  if (isMember !== false || !group.request_access_enabled || boot.user?.is_admin) return null
  return (
    <Button
      icon={UserPlus}
      isBusy={ask.isBusy}
      reason={hasAsked ? 'The owners have been asked.' : undefined}
      onClick={() => void ask.run()}
    >
      Request access
    </Button>
  )
}
