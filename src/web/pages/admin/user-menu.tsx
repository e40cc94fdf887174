import { Link, ShieldOff, Trash2, UserCheck, UserX } from 'lucide'
import { useState } from 'preact/hooks'

import type { Associations } from '../../../coordinator/accounts/users/memberships/schema.js'
import type { FullUser } from '../../../coordinator/accounts/users/record/schema.js'
import type { SignInLinkRecord } from '../../../coordinator/sessions/schema.js'
import { boot } from '../../api/boot.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead } from '../../api/use-read.js'
import { notify, notifyError } from '../../frame/notices.js'
import { Read } from '../../frame/problem.js'
import type { ButtonLook } from '../../kit/button.js'
import { formatCount } from '../../kit/bytes.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import { CheckBox } from '../../kit/field.js'
import { Menu, MenuItem, MenuLine } from '../../kit/menu.js'
import { SignInLink } from './sign-in-link.js'
import { useUserChange } from './use-user-change.js'
import { changesOf, type UserChange } from './user-changes.js'

const ICONS: Record<UserChange['action'], typeof UserCheck> = {
  approve: UserCheck,
  activate: UserCheck,
  unblock: UserCheck,
  unban: UserCheck,
  deactivate: UserX,
  block: ShieldOff,
  ban: ShieldOff,
  reject: Trash2,
}

interface UserMenuProps extends ButtonLook {
  user: FullUser
  onDeleted?: () => void
}

/** What administrators do with an account. The own account has no menu: administrators cannot lock themselves out. */
export function UserMenu({ user, onDeleted, ...look }: UserMenuProps) {
  const [isDeleting, setDeleting] = useState(false)
  const [link, setLink] = useState<SignInLinkRecord>()
  const { start, question } = useUserChange(user, onDeleted)
  const makeLink = useAction(async () => {
    setLink(await requestJson<SignInLinkRecord>(`/users/${user.id}/sign_in_links`, { method: 'POST' }))
  }, notifyError)
  if (user.id === boot.user?.id) return null
  return (
    <>
      <Menu {...look} name={`Actions for ${user.username}`}>
        {user.state === 'active' && !user.bot && (
          <MenuItem icon={Link} isChange onSelect={() => void makeLink.run()}>
            Create a sign-in link
          </MenuItem>
        )}
        {changesOf(user.state).map((change) => (
          <MenuItem
            key={change.action}
            icon={ICONS[change.action]}
            isDangerous={change.isDangerous ?? false}
            onSelect={() => start(change)}
          >
            {change.label}
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem icon={Trash2} isDangerous onSelect={() => setDeleting(true)}>
          Delete user
        </MenuItem>
      </Menu>
      {isDeleting && (
        <DeleteUser
          user={user}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            setDeleting(false)
            onDeleted?.()
          }}
        />
      )}
      {question}
      {link && <SignInLink link={link} onClose={() => setLink(undefined)} />}
    </>
  )
}

interface DeleteUserProps {
  user: FullUser
  onClose: () => void
  onDeleted: () => void
}

/** Asks before an account is deleted, with what is deleted along with it. */
function DeleteUser({ user, onClose, onDeleted }: DeleteUserProps) {
  const [hard, setHard] = useState(false)
  const counts = useRead<Associations>(`/users/${user.id}/associations_count`)
  const remove = useAction(async () => {
    await requestJson(`/users/${user.id}?hard_delete=${hard}`, { method: 'DELETE' })
    notify(`${user.name} was deleted`)
    onDeleted()
    // The lists alone: the record of the user no longer exists.
    await refresh('/users?')
  }, notifyError)
  return (
    <ConfirmDialog
      title={`Delete ${user.name}?`}
      action="Delete user"
      typed={user.username}
      isBusy={remove.isBusy}
      onConfirm={() => void remove.run()}
      onClose={onClose}
    >
      <Read of={counts} loading={<p>…</p>}>
        {({
          projects_count: projects,
          groups_count: groups,
          issues_count: issues,
          merge_requests_count: merges,
        }) => (
          <p>
            The user is a member of {formatCount(projects)} projects and {formatCount(groups)} groups, and has
            written {formatCount(issues)} issues and {formatCount(merges)} merge requests.
          </p>
        )}
      </Read>
      <p>
        Personal projects, tokens, keys and memberships are deleted. Contributions to other projects are kept,
        in the name of a ghost user.
      </p>
      <CheckBox
        label="Delete the contributions as well"
        help="Also issues, comments and pipelines of the user, and groups that have no other owner."
        checked={hard}
        onInput={setHard}
      />
    </ConfirmDialog>
  )
}
