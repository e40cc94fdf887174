import { useState } from 'preact/hooks'

import type { Member } from '../../coordinator/accounts/members/schema.js'
import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { refresh, useRead } from '../api/use-read.js'
import { notify } from '../frame/notices.js'
import { Read } from '../frame/problem.js'
import { Combobox } from '../kit/combobox.js'
import { Input, Select } from '../kit/field.js'
import { FormDialog } from '../kit/form-dialog.js'
import { expiryDate, ExpiryField } from './expiry-field.js'
import { groupsPath } from './namespaces.js'
import type { ROLES } from './roles.js'

const FIRST_DAY = 'The first day without access.'

interface DialogProps {
  /** Path of the project or group in the API. */
  base: string
  /** The roles that the user may give. */
  roles: typeof ROLES
  onClose: () => void
}

interface FoundUser {
  id: number
  username: string
  name: string
}

/** Makes a user a member. */
export function AddMember({ base, roles, onClose }: DialogProps) {
  const [search, setSearch] = useState('')
  const [user, setUser] = useState<FoundUser>()
  const [role, setRole] = useState('30')
  const [expires, setExpires] = useState('')
  const query = search.trim() === '' ? '' : `&search=${encodeURIComponent(search.trim())}`
  const found =
    useRead<FoundUser[]>(`/users?per_page=20&active=true${query}`, { keepsPrevious: true }).data ?? []
  const add = useAction(async () => {
    await requestJson(`${base}/members`, {
      method: 'POST',
      body: { user_id: user?.id, access_level: Number(role), ...expiryDate(expires) },
    })
    notify(`${user?.name ?? ''} was added`)
    await refresh(`${base}/member`)
    onClose()
  })
  return (
    <FormDialog
      title="Add member"
      action="Add member"
      isBusy={add.isBusy}
      error={add.error}
      isIncomplete={!user}
      onSubmit={() => void add.run()}
      onClose={onClose}
    >
      <Combobox
        label="User"
        value={String(user?.id ?? '')}
        valueLabel={user ? `${user.name} (@${user.username})` : ''}
        choices={found.map(({ id, username, name }) => ({
          value: String(id),
          label: name,
          detail: `@${username}`,
        }))}
        onSearch={setSearch}
        onChoose={({ value }) => setUser(found.find(({ id }) => String(id) === value))}
      />
      <Select label="Role" value={role} onInput={setRole} choices={roles} />
      <ExpiryField about={FIRST_DAY} value={expires} onInput={setExpires} />
    </FormDialog>
  )
}

/** Changes the role and the end of a direct membership. */
export function ChangeMember({ base, roles, member, onClose }: DialogProps & { member: Member }) {
  const path = `${base}/members/${member.id}`
  // The list has the membership that determines the role, which may be another one.
  const direct = useRead<Member>(path)
  const [role, setRole] = useState<string>()
  const [expires, setExpires] = useState<string>()
  const change = useAction(async () => {
    await requestJson(path, {
      method: 'PUT',
      body: {
        access_level: Number(role ?? direct.data?.access_level),
        ...(expires !== undefined && { expires_at: expires === '' ? null : expires }),
      },
    })
    notify(`The membership of ${member.name} was changed`)
    await refresh(`${base}/member`)
    onClose()
  })
  return (
    <FormDialog
      title={`Change ${member.name}`}
      action="Save changes"
      isBusy={change.isBusy}
      error={change.error}
      isIncomplete={role === undefined && expires === undefined}
      onSubmit={() => void change.run()}
      onClose={onClose}
    >
      <Read of={direct}>
        {({ access_level: level, expires_at: end }) => (
          <>
            <Select label="Role" value={role ?? String(level)} onInput={setRole} choices={roles} />
            <ExpiryField about={FIRST_DAY} value={expires ?? end ?? ''} onInput={setExpires} />
          </>
        )}
      </Read>
    </FormDialog>
  )
}

/** Invites people by their e-mail addresses, whether they have accounts or not. */
export function InvitePeople({ base, roles, onClose }: DialogProps) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState('30')
  const [expires, setExpires] = useState('')
  const [problem, setProblem] = useState<string>()
  const invite = useAction(async () => {
    setProblem(undefined)
    const emails = email.split(/[\s,;]+/).filter((each) => each !== '')
    const response = await requestJson<{ message?: Record<string, string> }>(`${base}/invitations`, {
      method: 'POST',
      body: { email: emails.join(','), access_level: Number(role), ...expiryDate(expires) },
    })
    await refresh(`${base}/member`, `${base}/invitations`)
    const problems = Object.entries(response.message ?? {})
    if (problems.length > 0) {
      setEmail(problems.map(([address]) => address).join(', '))
      setProblem(problems.map(([address, message]) => `${address}: ${message}`).join('; '))
      return
    }
    notify(emails.length === 1 ? `${emails[0]} was invited` : `${emails.length} people were invited`)
    onClose()
  })
  return (
    <FormDialog
      title="Invite by e-mail"
      action="Invite"
      isBusy={invite.isBusy}
      error={problem === undefined ? invite.error : { message: problem }}
      onSubmit={() => void invite.run()}
      onClose={onClose}
    >
      <Input
        label="E-mail addresses"
        value={email}
        onInput={setEmail}
        required
        autoComplete="off"
        placeholder="ada@example.com, grace@example.com"
        help="Users with these addresses become members at once, others when they have an account."
      />
      <Select label="Role" value={role} onInput={setRole} choices={roles} />
      <ExpiryField about={FIRST_DAY} value={expires} onInput={setExpires} />
    </FormDialog>
  )
}

const NOTHING = { value: '', label: '' }

/** Gives the members of another group access. */
export function InviteGroup({ base, roles, onClose }: DialogProps) {
  const [search, setSearch] = useState('')
  const [group, setGroup] = useState(NOTHING)
  const [role, setRole] = useState('30')
  const [expires, setExpires] = useState('')
  const { data: groups } = useRead<{ id: number; full_path: string }[]>(groupsPath({}, search), {
    keepsPrevious: true,
  })
  const invite = useAction(async () => {
    await requestJson(`${base}/share`, {
      method: 'POST',
      body: { group_id: Number(group.value), group_access: Number(role), ...expiryDate(expires) },
    })
    notify(`${group.label} has access`)
    await refresh(base)
    onClose()
  })
  return (
    <FormDialog
      title="Invite a group"
      action="Invite group"
      isBusy={invite.isBusy}
      error={invite.error}
      isIncomplete={group.value === ''}
      onSubmit={() => void invite.run()}
      onClose={onClose}
    >
      <Combobox
        label="Group"
        value={group.value}
        valueLabel={group.label}
        choices={(groups ?? []).map(({ id, full_path: label }) => ({ value: String(id), label }))}
        onSearch={setSearch}
        onChoose={({ value, label }) => setGroup({ value, label })}
      />
      <Select
        label="Highest role"
        value={role}
        onInput={setRole}
        choices={roles}
        help="Members of the group have their role in it, and at most this one."
      />
      <ExpiryField about={FIRST_DAY} value={expires} onInput={setExpires} />
    </FormDialog>
  )
}
