import { LogOut } from 'lucide'
import { useState } from 'preact/hooks'

import { groupApi } from '../../../addresses/first-reads.js'
import type { Group } from '../../../coordinator/accounts/groups/schema.js'
import { boot } from '../../api/boot.js'
import { request } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { notifyError } from '../../frame/notices.js'
import { RequestAccess, useIsMember } from '../../frame/request-access.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import { Menu, MenuItem } from '../../kit/menu.js'

/** Asks for access to a group, or leaves it. */
export function GroupMembership({ group }: { group: Group }) {
  const base = groupApi(group.full_path)
  const me = boot.user
  const [isLeaving, setLeaving] = useState(false)
  const isMember = useIsMember(group)
  const leave = useAction(async () => {
    if (me) await request(`${base}/members/${me.id}`, { method: 'DELETE' })
    setLeaving(false)
    await refresh('/groups', '/projects')
  }, notifyError)
  if (!isMember) return <RequestAccess group={group} />
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
