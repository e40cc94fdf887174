import { Plus, Users } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import type { FullUser } from '../../../../coordinator/accounts/users/record/schema.js'
import type { SignInLinkRecord } from '../../../../coordinator/sessions/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { useSearch } from '../../../frame/location.js'
import { notifyError } from '../../../frame/notices.js'
import { ReadRows } from '../../../frame/problem.js'
import { Avatar } from '../../../kit/avatar.js'
import { Badge } from '../../../kit/badge.js'
import { Button } from '../../../kit/button.js'
import { formatCount } from '../../../kit/bytes.js'
import { Empty } from '../../../kit/empty.js'
import { CheckBox } from '../../../kit/field.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { SearchField } from '../../../kit/search-field.js'
import { Table } from '../../../kit/table.js'
import { Tabs } from '../../../kit/tabs.js'
import { Time } from '../../../kit/time.js'
import { AccountFields } from '../account-fields.js'
import { SignInLink } from '../sign-in-link.js'
import { UserApproval } from '../user-approval.js'
import { PENDING, USER_FILTERS, userFilterNamed, usersPath } from '../user-filters.js'
import { UserMenu } from '../user-menu.js'
import { UserState } from '../user-state.js'
import styles from './page.module.css'

/** The accounts of the instance. */
export function Page() {
  useTitle('Users')
  const [search, setSearch] = useSearch()
  const filter = userFilterNamed(search.get('filter'))
  const text = search.get('search') ?? ''
  const { rows, result, next } = useReadList<FullUser>(usersPath(filter, text), {
    keepsPrevious: true,
  })
  const pending = useReadList<FullUser>(usersPath(PENDING, '')).total ?? 0
  const [creates, setCreates] = useState(false)
  const [link, setLink] = useState<SignInLinkRecord>()
  const makeLink = useAction(async (user: FullUser) => {
    setLink(await requestJson<SignInLinkRecord>(`/users/${user.id}/sign_in_links`, { method: 'POST' }))
  }, notifyError)
  return (
    <>
      <PageHeader
        title="Users"
        actions={
          <Button kind="primary" icon={Plus} onClick={() => setCreates(true)}>
            New user
          </Button>
        }
      />
      <Tabs
        label="Users"
        tabs={USER_FILTERS.map(({ value, label }) => ({
          label,
          href: `/admin/users${queryOf({ filter: value || undefined, search: text || undefined })}`,
          isCurrent: value === filter.value,
          count: value === PENDING.value && pending > 0 ? formatCount(pending) : undefined,
        }))}
      />
      <div class={styles['tools']}>
        <SearchField
          label="Find users"
          placeholder="Name, username or e-mail address"
          value={text}
          onSearch={(found) => setSearch({ search: found })}
        />
      </div>
      <Panel isFlush>
        <ReadRows
          of={{ rows, result }}
          outline={6}
          empty={<Empty icon={Users} title={text === '' ? filter.empty : 'No user matches.'} />}
        >
          <Table<FullUser>
            label="Users"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'User',
                isMain: true,
                cell: ({ name, username, avatar_url: url, is_admin: isAdmin, bot }) => (
                  <span class={styles['user']}>
                    <Avatar name={name} url={url} size={28} />
                    <span>
                      <a href={addressOf('admin/user', { username })}>{name}</a>{' '}
                      {isAdmin && <Badge tone="accent">administrator</Badge>} {bot && <Badge>bot</Badge>}
                      <span class={styles['quiet']}>@{username}</span>
                    </span>
                  </span>
                ),
              },
              { title: 'E-mail address', isDetail: true, cell: ({ email }) => email },
              {
                title: 'State',
                cell: ({ state }) => <UserState state={state} />,
              },
              { title: 'Last sign-in', cell: ({ current_sign_in_at: value }) => <Time value={value} /> },
              { title: 'Created', isDetail: true, cell: ({ created_at: value }) => <Time value={value} /> },
              {
                title: 'Actions',
                hidesTitle: true,
                cell: (user) => (
                  <span class={styles['actions']}>
                    {filter === PENDING && <UserApproval user={user} />}
                    <UserMenu user={user} kind="ghost" size="small" />
                  </span>
                ),
              },
            ]}
          />
        </ReadRows>
      </Panel>
      <LoadMore of="users" next={next} />
      {creates && <NewUser onClose={() => setCreates(false)} onCreated={(user) => void makeLink.run(user)} />}
      {link && <SignInLink link={link} onClose={() => setLink(undefined)} />}
    </>
  )
}

function NewUser({ onClose, onCreated }: { onClose: () => void; onCreated: (user: FullUser) => void }) {
  const [names, setNames] = useState({ name: '', username: '', email: '' })
  const [isAdmin, setAdmin] = useState(false)
  const create = useAction(async () => {
    const user = await requestJson<FullUser>('/users', {
      method: 'POST',
      body: { ...names, admin: isAdmin, force_random_password: true, skip_confirmation: true },
    })
    await refresh('/users')
    onClose()
    onCreated(user)
  })
  return (
    <FormDialog
      title="New user"
      action="Create user"
      isBusy={create.isBusy}
      error={create.error}
      onSubmit={() => void create.run()}
      onClose={onClose}
    >
      <AccountFields {...names} onInput={(change) => setNames({ ...names, ...change })} />
      <CheckBox label="Administrator" checked={isAdmin} onInput={setAdmin} />
      <p>A link to sign in with is shown next, to give to the user.</p>
    </FormDialog>
  )
}
