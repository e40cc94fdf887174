import { Mail, Pencil, UserPlus, Users, UsersRound } from 'lucide'
import { useState } from 'preact/hooks'

import type { Member } from '../../coordinator/accounts/members/schema.js'
import { boot } from '../api/boot.js'
import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { refresh, useReadList } from '../api/use-read.js'
import { LoadMore } from '../frame/load-more.js'
import { notify, notifyError } from '../frame/notices.js'
import { ReadRows } from '../frame/problem.js'
import { Avatar } from '../kit/avatar.js'
import { Badge } from '../kit/badge.js'
import { Button, IconButton } from '../kit/button.js'
import { ConfirmDialog } from '../kit/dialog.js'
import { Empty } from '../kit/empty.js'
import { PageActions } from '../kit/page-actions.js'
import { Panel, Panels } from '../kit/panel.js'
import { SearchField } from '../kit/search-field.js'
import { Table } from '../kit/table.js'
import { Time } from '../kit/time.js'
import { AccessRequests } from './access-requests.js'
import { Invitations } from './invitations.js'
import { InvitedGroups } from './invited-groups.js'
import { AddMember, ChangeMember, InviteGroup, InvitePeople } from './member-dialogs.js'
import { MemberSources, useMemberSources } from './member-sources.js'
import styles from './members.module.css'
import { roleName, ROLES } from './roles.js'

/** Number of members of a request. */
const PER_PAGE = 50

interface MembersProps {
  /** Path of the project or group in the API. */
  base: string
  /** Path of its record. */
  record: string
  mayChange: boolean
  reason?: string | undefined
  /** Highest role that the user may give. */
  highest: number
}

type OpenDialog = 'add' | 'invite' | 'group'

/** Who has access to a project or a group: members with the origin of their roles, groups, invitations, requests. */
export function Members({ base, record, mayChange, reason, highest }: MembersProps) {
  const [search, setSearch] = useState('')
  const all = useReadList<Member>(
    `${base}/members/all?per_page=${PER_PAGE}${search === '' ? '' : `&query=${encodeURIComponent(search)}`}`,
    { keepsPrevious: true },
  )
  const [opened, setOpened] = useState<OpenDialog>()
  const [changed, setChanged] = useState<Member>()
  const [removed, setRemoved] = useState<Member>()
  const remove = useAction(async (id: number) => {
    await requestJson(`${base}/members/${id}`, { method: 'DELETE' })
    setRemoved(undefined)
    notify(isMe(id) ? 'You are no longer a member' : 'The member was removed')
    await refresh(`${base}/member`)
  }, notifyError)
  const roles = ROLES.filter(({ value }) => Number(value) <= highest)
  const close = () => setOpened(undefined)
  const dialog = { base, roles, onClose: close }
  const pageOf = (index: number) => {
    const start = Math.floor(index / PER_PAGE) * PER_PAGE
    return all.rows.slice(start, start + PER_PAGE).map(({ id }) => id)
  }
  const rows = all.rows.map((member, index) => ({ member, page: pageOf(index) }))
  return (
    <Panels>
      {mayChange && <AccessRequests base={base} reason={reason} roles={roles} />}
      <Panel
        isFlush
        title="Members"
        actions={
          mayChange && (
            <PageActions size="small">
              <Button size="small" icon={UsersRound} reason={reason} onClick={() => setOpened('group')}>
                Invite a group
              </Button>
              <Button size="small" icon={Mail} reason={reason} onClick={() => setOpened('invite')}>
                Invite by e-mail
              </Button>
              <Button
                size="small"
                kind="primary"
                icon={UserPlus}
                reason={reason}
                onClick={() => setOpened('add')}
              >
                Add member
              </Button>
            </PageActions>
          )
        }
      >
        <div class={styles['tools']}>
          <SearchField label="Find members" placeholder="Find members" value={search} onSearch={setSearch} />
        </div>
        <ReadRows of={all} outline={4} empty={<Empty icon={Users} title="Nobody is found." />}>
          <Table<ShownMember>
            label="Members"
            rows={rows}
            keyOf={({ member: { id } }) => id}
            columns={[
              { title: 'Member', isMain: true, cell: ({ member }) => <Person member={member} /> },
              {
                title: 'Role',
                isShort: true,
                cell: ({ member: { access_level: level } }) => roleName(level),
              },
              { title: 'Source', cell: (shown) => <SourceOf base={base} shown={shown} /> },
              {
                title: 'Expires',
                isShort: true,
                cell: ({ member: { expires_at: end } }) => <Time value={end} />,
              },
              { title: 'Member since', cell: ({ member: { created_at: value } }) => <Time value={value} /> },
              {
                title: 'Actions',
                hidesTitle: true,
                cell: (shown) => (
                  <MemberActions
                    {...{ base, shown, mayChange, highest, reason }}
                    onChange={() => setChanged(shown.member)}
                    onRemove={() => setRemoved(shown.member)}
                  />
                ),
              },
            ]}
          />
        </ReadRows>
        <LoadMore of="members" next={all.next} />
      </Panel>
      <InvitedGroups {...{ base, record, mayChange }} />
      {mayChange && <Invitations base={base} />}
      {opened === 'add' && <AddMember {...dialog} />}
      {opened === 'invite' && <InvitePeople {...dialog} />}
      {opened === 'group' && <InviteGroup {...dialog} />}
      {changed && <ChangeMember {...dialog} member={changed} onClose={() => setChanged(undefined)} />}
      {removed && (
        <ConfirmDialog
          title={isMe(removed.id) ? 'Leave?' : `Remove ${removed.name}?`}
          action={isMe(removed.id) ? 'Leave' : 'Remove member'}
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(removed.id)}
          onClose={() => setRemoved(undefined)}
        >
          <p>
            {isMe(removed.id)
              ? 'You lose the role that you have here directly, at once.'
              : `@${removed.username} loses the role that they have here directly, at once.`}
          </p>
        </ConfirmDialog>
      )}
    </Panels>
  )
}

function isMe(id: number): boolean {
  return id === boot.user?.id
}

interface ShownMember {
  member: Member
  /** The users of the same page of the list, whose memberships are read together. */
  page: readonly number[]
}

function Person({ member: { id, name, username, avatar_url: url } }: { member: Member }) {
  return (
    <span class={styles['member']}>
      <Avatar name={name} url={url} size={28} />
      <span>
        <a href={`/${username}`}>{name}</a> {isMe(id) && <Badge>you</Badge>}
        <span class={styles['quiet']}>@{username}</span>
      </span>
    </span>
  )
}

function SourceOf({ base, shown: { member, page } }: { base: string; shown: ShownMember }) {
  return <MemberSources sources={useMemberSources(base, page, member.id)} />
}

interface MemberActionsProps extends Pick<MembersProps, 'base' | 'mayChange' | 'highest' | 'reason'> {
  shown: ShownMember
  onChange: () => void
  onRemove: () => void
}

/** Only direct memberships can be changed here; inherited ones are changed in their group. */
function MemberActions({ base, shown, mayChange, highest, reason, onChange, onRemove }: MemberActionsProps) {
  const { member, page } = shown
  const direct = useMemberSources(base, page, member.id).find(({ kind }) => kind === 'direct')
  if (!direct) return null
  const mayManage = mayChange && direct.access_level <= highest
  return (
    <span class={styles['actions']}>
      {mayManage && (
        <IconButton
          size="small"
          icon={Pencil}
          label={`Change ${member.name}`}
          reason={reason}
          onClick={onChange}
        />
      )}
      {(mayManage || isMe(member.id)) && (
        <Button size="small" kind="danger" onClick={onRemove}>
          {isMe(member.id) ? 'Leave' : 'Remove'}
        </Button>
      )}
    </span>
  )
}
