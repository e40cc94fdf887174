import { UserPlus, Users } from 'lucide'
import { useState } from 'preact/hooks'

import type { Member } from '../../coordinator/accounts/members/schema.js'
import { boot } from '../api/boot.js'
import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { refresh, useRead, useReadList } from '../api/use-read.js'
import { notify, notifyError } from '../frame/notices.js'
import { ReadRows } from '../frame/problem.js'
import { Avatar } from '../kit/avatar.js'
import { Badge } from '../kit/badge.js'
import { Button } from '../kit/button.js'
import { Combobox } from '../kit/combobox.js'
import { ConfirmDialog } from '../kit/dialog.js'
import { Empty } from '../kit/empty.js'
import { Input, Select } from '../kit/field.js'
import { FormDialog } from '../kit/form-dialog.js'
import { LoadMore } from '../kit/load-more.js'
import { Panel } from '../kit/panel.js'
import { SearchField } from '../kit/search-field.js'
import { Table } from '../kit/table.js'
import { Time } from '../kit/time.js'
import styles from './members.module.css'
import { roleName, ROLES } from './roles.js'

interface MembersProps {
  /** Path of the project or group in the API. */
  base: string
  mayChange: boolean
  reason?: string | undefined
  /** Highest role that the user may give. */
  highest: number
}

/** The members of a project or a group, with those of groups above. */
export function Members({ base, mayChange, reason, highest }: MembersProps) {
  const [search, setSearch] = useState('')
  const all = useReadList<Member>(
    `${base}/members/all?per_page=50${search === '' ? '' : `&query=${encodeURIComponent(search)}`}`,
    { keepsPrevious: true },
  )
  const direct = useReadList<Member>(`${base}/members?per_page=100`)
  const ownIds = new Set(direct.rows.map(({ id }) => id))
  const [adds, setAdds] = useState(false)
  const [removed, setRemoved] = useState<Member>()
  const change = useAction(async (id: number, level: string) => {
    await requestJson(`${base}/members/${id}`, { method: 'PUT', body: { access_level: Number(level) } })
    notify('The role was changed')
    await refresh(`${base}/members`)
  }, notifyError)
  const remove = useAction(async (id: number) => {
    await requestJson(`${base}/members/${id}`, { method: 'DELETE' })
    setRemoved(undefined)
    notify('The member was removed')
    await refresh(`${base}/members`)
  }, notifyError)
  const roles = ROLES.filter(({ value }) => Number(value) <= highest)
  return (
    <Panel
      isFlush
      title="Members"
      actions={
        mayChange && (
          <Button size="small" kind="primary" icon={UserPlus} reason={reason} onClick={() => setAdds(true)}>
            Add member
          </Button>
        )
      }
    >
      <div class={styles['tools']}>
        <SearchField label="Find members" placeholder="Find members" value={search} onSearch={setSearch} />
      </div>
      <ReadRows of={all} outline={4} empty={<Empty icon={Users} title="Nobody is found." />}>
        <Table<Member>
          label="Members"
          rows={all.rows}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Member',
              isMain: true,
              cell: ({ id, name, username, avatar_url: url }) => (
                <span class={styles['member']}>
                  <Avatar name={name} url={url} size={28} />
                  <span>
                    <a href={`/${username}`}>{name}</a> {id === boot.user?.id && <Badge>you</Badge>}
                    <span class={styles['quiet']}>@{username}</span>
                  </span>
                </span>
              ),
            },
            {
              title: 'Role',
              cell: ({ id, access_level: level, name }) =>
                mayChange && reason === undefined && ownIds.has(id) && level <= highest ? (
                  <Select
                    label={`Role of ${name}`}
                    hidesLabel
                    value={String(level)}
                    onInput={(chosen) => void change.run(id, chosen)}
                    choices={roles}
                  />
                ) : (
                  roleName(level)
                ),
            },
            {
              title: 'Source',
              cell: ({ id }) => (ownIds.has(id) ? 'direct' : <Badge>inherited</Badge>),
            },
            {
              title: 'Expires',
              cell: ({ expires_at: value }) => (value === null ? 'never' : <Time value={value} />),
            },
            { title: 'Member since', cell: ({ created_at: value }) => <Time value={value} /> },
            {
              title: 'Actions',
              hidesTitle: true,
              cell: (member) =>
                ownIds.has(member.id) &&
                (mayChange || member.id === boot.user?.id) && (
                  <Button size="small" kind="danger" onClick={() => setRemoved(member)}>
                    {member.id === boot.user?.id ? 'Leave' : 'Remove'}
                  </Button>
                ),
            },
          ]}
        />
      </ReadRows>
      {all.hasMore && <LoadMore of="members" isBusy={all.result.isFetchingNextPage} onMore={all.more} />}
      {adds && <AddDialog base={base} roles={roles} onClose={() => setAdds(false)} />}
      {removed && (
        <ConfirmDialog
          title={`Remove ${removed.name}?`}
          action="Remove member"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(removed.id)}
          onClose={() => setRemoved(undefined)}
        >
          <p>@{removed.username} loses this role at once.</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

interface FoundUser {
  id: number
  username: string
  name: string
}

function AddDialog({ base, roles, onClose }: { base: string; roles: typeof ROLES; onClose: () => void }) {
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
      body: {
        user_id: user?.id,
        access_level: Number(role),
        ...(expires !== '' && { expires_at: expires }),
      },
    })
    notify(`${user?.name ?? ''} was added`)
    await refresh(`${base}/members`)
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
      <Input
        label="Expires on"
        type="date"
        value={expires}
        onInput={setExpires}
        help="Without a date, never."
      />
    </FormDialog>
  )
}
