import { LogOut, UserPlus } from 'lucide'
import { useState } from 'preact/hooks'

import { groupApi } from '../../../addresses/first-reads.js'
import type { Group } from '../../../coordinator/accounts/groups/schema.js'
import { boot } from '../../api/boot.js'
import { request } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead } from '../../api/use-read.js'
import { notify, notifyError } from '../../frame/notices.js'
import { Button } from '../../kit/button.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import { Menu, MenuItem } from '../../kit/menu.js'

/** Asks for access to a group, or leaves it. */
export function GroupMembership({ group }: { group: Group }) {
  const base = groupApi(group.full_path)
  const me = boot.user
  const [isLeaving, setLeaving] = useState(false)
  const [hasAsked, setAsked] = useState(false)
  const members = useRead<{ id: number }[]>(me ? `${base}/members?user_ids[]=${me.id}` : undefined).data
  const ask = useAction(async () => {
    await request(`${base}/access_requests`, { method: 'POST' })
    setAsked(true)
    notify('The owners of the group have been asked.')
  }, notifyError)
  const leave = useAction(async () => {
    if (me) await request(`${base}/members/${me.id}`, { method: 'DELETE' })
    setLeaving(false)
    await refresh('/groups', '/projects')
  }, notifyError)
  if (!me || !members) return null
  if (members.length > 0) {
    return (
      <>
        <Menu name="More">
          <MenuItem icon={LogOut} onSelect={() => setLeaving(true)}>
            Leave group
          </MenuItem>
        </Menu>
        {isLeaving && (
          <ConfirmDialog
            title={`Leave ${group.name}?`}
            action="Leave group"
            isBusy={leave.isBusy}
            onConfirm={() => void leave.run()}
            onClose={() => setLeaving(false)}
          >
            You lose access to the projects of the group that are not open to you otherwise.
          </ConfirmDialog>
        )}
      </>
    )
  }
  if (!group.request_access_enabled || me.is_admin) return null
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
