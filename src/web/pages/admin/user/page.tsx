import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import type { FullUser } from '../../../../coordinator/accounts/users/record/schema.js'
import { boot } from '../../../api/boot.js'
import { useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate, useSearch } from '../../../frame/location.js'
import { NotFound, Read } from '../../../frame/problem.js'
import { Alert } from '../../../kit/alert.js'
import { Avatar } from '../../../kit/avatar.js'
import { Badge } from '../../../kit/badge.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Tabs } from '../../../kit/tabs.js'
import { Time } from '../../../kit/time.js'
import { AccessTokens, TOKEN_SCOPES } from '../../../records/access-tokens.js'
import { Fact, Facts } from '../../../records/facts.js'
import { Memberships } from '../../../records/memberships.js'
import { roleName } from '../../../records/roles.js'
import { UserMenu } from '../user-menu.js'
import { UserState } from '../user-state.js'
import { Account } from './account.js'
import styles from './page.module.css'
import { Sessions } from './sessions.js'
import { UserApplications } from './user-applications.js'

const VIEWS = [
  ['', 'Account'],
  ['memberships', 'Memberships'],
  ['sessions', 'Sessions'],
  ['applications', 'Applications'],
  ['tokens', 'Impersonation tokens'],
] as const

/** One account, for administrators. */
export function Page({ params: { username } }: { params: { username: string } }) {
  useTitle(`${username} · Users`)
  const found = useRead<{ id: number }[]>(`/users${queryOf({ username })}`)
  return (
    <Read of={found} title={username} loading={<PageHeader title={username} />}>
      {([user]) => (user ? <User key={user.id} id={user.id} /> : <NotFound isPage />)}
    </Read>
  )
}

function User({ id }: { id: number }) {
  const record = useRead<FullUser>(`/users/${id}`)
  return (
    <Read of={record} title="User">
      {(user) => <Loaded user={user} />}
    </Read>
  )
}

function Loaded({ user }: { user: FullUser }) {
  const [search] = useSearch()
  const view = VIEWS.find(([value]) => value === (search.get('view') ?? ''))?.[0] ?? ''
  const { username } = user
  return (
    <>
      <PageHeader
        title={
          <>
            <Avatar name={user.name} url={user.avatar_url} size={32} />
            <span>{user.name}</span>
            <UserState state={user.state} />
            {user.is_admin && <Badge tone="accent">administrator</Badge>}
            {user.external && <Badge>external</Badge>}
            {user.bot && <Badge>bot</Badge>}
            {user.locked && <Badge tone="warning">locked</Badge>}
          </>
        }
        details={
          <>
            <a href={addressOf('admin/users', {})}>Users</a>
            <a href={`/${username}`}>@{username}</a>
            <span>#{user.id}</span>
            <span>{user.email}</span>
          </>
        }
        actions={<UserMenu user={user} onDeleted={() => navigate(addressOf('admin/users', {}))} />}
      />
      {user.id === boot.user?.id && (
        <div class={styles['note']}>
          <Alert>This is your own account.</Alert>
        </div>
      )}
      <UserFacts user={user} />
      <Tabs
        label="User"
        tabs={VIEWS.map(([value, label]) => ({
          label,
          href: addressOf('admin/user', { username }, { view: value || undefined }),
          isCurrent: value === view,
        }))}
      />
      <div class={styles['content']}>
        {view === '' && <Account user={user} />}
        {view === 'memberships' && (
          <Panel isFlush>
            <Memberships id={user.id} empty="The user is a member of no group and of no project." />
          </Panel>
        )}
        {view === 'sessions' && <Sessions id={user.id} />}
        {view === 'applications' && <UserApplications id={user.id} />}
        {view === 'tokens' && (
          <>
            <p class={styles['quiet']}>
              With an impersonation token, a client acts as this user, for example to reproduce a problem.
            </p>
            <AccessTokens
              list={`/users/${user.id}/impersonation_tokens?state=active&per_page=50`}
              create={`/users/${user.id}/impersonation_tokens`}
              single={`/users/${user.id}/impersonation_tokens`}
              scopes={TOKEN_SCOPES}
              canRotate={false}
              mayChange
            />
          </>
        )}
      </div>
    </>
  )
}

function UserFacts({ user }: { user: FullUser }) {
  const { current_sign_in_at: signedIn, current_sign_in_ip: address, created_by: creator } = user
  return (
    <Facts isBox>
      <Fact title="Last sign-in">
        <Time value={signedIn} /> {address && <span class={styles['quiet']}>from {address}</span>}
      </Fact>
      <Fact title="Sign-ins">{user.sign_in_count}</Fact>
      <Fact title="Last activity">{user.last_activity_on ?? 'none'}</Fact>
      <Fact title="Created">
        <Time value={user.created_at} /> {creator && <span class={styles['quiet']}>by {creator.name}</span>}
      </Fact>
      <Fact title="E-mail address confirmed">
        <Time value={user.confirmed_at} />
      </Fact>
      <Fact title="Highest role">
        {user.highest_role === undefined || user.highest_role === 0 ? 'none' : roleName(user.highest_role)}
      </Fact>
      {user.identities.length > 0 && (
        <Fact title="Identities">
          {user.identities.map(({ provider, extern_uid: uid }) => `${provider}: ${uid}`).join(', ')}
        </Fact>
      )}
      {user.note && <Fact title="Note">{user.note}</Fact>}
    </Facts>
  )
}
