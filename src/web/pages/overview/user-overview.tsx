import { Building2, CalendarDays, Link as LinkIcon, Mail, MapPin, Pencil, UserMinus, UserPlus } from 'lucide'
import type { ComponentChildren } from 'preact'

import { addressOf } from '../../../addresses/address-of.js'
import type { FullUser, UserProfile as Profile } from '../../../coordinator/accounts/users/record/schema.js'
import { boot } from '../../api/boot.js'
import { request } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead } from '../../api/use-read.js'
import { useTitle } from '../../frame/document-title.js'
import { userByName } from '../../frame/found.js'
import { useSearch } from '../../frame/location.js'
import { notifyError } from '../../frame/notices.js'
import { NotFound, Read } from '../../frame/problem.js'
import { Avatar } from '../../kit/avatar.js'
import { Badge } from '../../kit/badge.js'
import { Button, LinkButton } from '../../kit/button.js'
import { Icon } from '../../kit/icon.js'
import { PageHeader, Panel } from '../../kit/panel.js'
import { Skeleton } from '../../kit/skeleton.js'
import { Tabs } from '../../kit/tabs.js'
import { fullDate } from '../../kit/time.js'
import { Activity } from '../../records/activity.js'
import { Memberships } from '../../records/memberships.js'
import { ProjectList } from '../../records/project-list.js'
import { UserList } from './user-list.js'
import styles from './user-overview.module.css'

/** A private profile has only the fields of every user. */
type ShownUser = Pick<Profile, 'id' | 'username' | 'name' | 'state' | 'avatar_url'> &
  Partial<Profile & FullUser>

/** The profile of a user: who they are, what they did, and their projects. */
export function UserOverview({ username }: { username: string }) {
  const found = useRead<{ id: number }[]>(userByName(username))
  return (
    <Read of={found} title={username} loading={<Skeleton rows={8} />}>
      {([user]) => (user ? <ProfileOf id={user.id} /> : <NotFound isPage />)}
    </Read>
  )
}

function ProfileOf({ id }: { id: number }) {
  const user = useRead<ShownUser>(`/users/${id}`)
  useTitle(user.data?.name ?? 'Profile')
  return (
    <Read of={user} title="Profile" loading={<Skeleton rows={8} />}>
      {(loaded) => <Loaded user={loaded} />}
    </Read>
  )
}

const TABS = [
  { name: '', label: 'Activity' },
  { name: 'memberships', label: 'Memberships' },
  { name: 'projects', label: 'Personal projects' },
  { name: 'contributed', label: 'Contributed projects' },
  { name: 'starred', label: 'Starred projects' },
  { name: 'followers', label: 'Followers' },
  { name: 'following', label: 'Following' },
]

function Loaded({ user }: { user: ShownUser }) {
  const [query] = useSearch()
  const tab = query.get('tab') ?? ''
  const counts: Record<string, number | undefined> = { followers: user.followers, following: user.following }
  // They are part of the profile, which may be private, and only users see them.
  const isShown = (name: string) =>
    name === 'memberships'
      ? boot.user !== null && user.followers !== undefined
      : !(name in counts) || counts[name] !== undefined
  return (
    <>
      <PageHeader
        title={
          <>
            <Avatar name={user.name} url={user.avatar_url} size={56} />
            <span class={styles['names']}>
              {user.name}
              <small>
                @{user.username}
                {user.pronouns && ` · ${user.pronouns}`}
              </small>
            </span>
            {user.state !== 'active' && <Badge tone="warning">{user.state.replaceAll('_', ' ')}</Badge>}
            {user.bot && <Badge>Bot</Badge>}
          </>
        }
        actions={<ProfileActions user={user} />}
      />
      {user.bio && <p class={styles['bio']}>{user.bio}</p>}
      <Facts user={user} />
      <Tabs
        label="Parts of the profile"
        tabs={TABS.filter(({ name }) => isShown(name)).map(({ name, label }) => ({
          label,
          href: addressOf('overview', { path: user.username }, { tab: name || undefined }),
          isCurrent: tab === name,
          count: counts[name],
        }))}
      />
      <Panel isFlush class={styles['panel']}>
        <Content user={user} tab={tab} />
      </Panel>
    </>
  )
}

function Facts({ user }: { user: ShownUser }) {
  const { website_url: website, public_email: email, created_at: created } = user
  return (
    <ul class={styles['facts']}>
      {user.work_information && <Fact icon={Building2}>{user.work_information}</Fact>}
      {user.location && <Fact icon={MapPin}>{user.location}</Fact>}
      {website && (
        <Fact icon={LinkIcon}>
          {/^https?:/.test(website) ? (
            <a href={website} rel="noopener noreferrer nofollow" target="_blank">
              {website.replace(/^https?:\/\//, '')}
            </a>
          ) : (
            website
          )}
        </Fact>
      )}
      {email && (
        <Fact icon={Mail}>
          <a href={`mailto:${email}`}>{email}</a>
        </Fact>
      )}
      {created && <Fact icon={CalendarDays}>Member since {fullDate(created)}</Fact>}
    </ul>
  )
}

function Fact({ icon, children }: { icon: typeof MapPin; children: ComponentChildren }) {
  return (
    <li>
      <Icon icon={icon} size={14} />
      {children}
    </li>
  )
}

function ProfileActions({ user }: { user: ShownUser }) {
  const isFollowed = user.is_followed ?? false
  const toggle = useAction(async () => {
    await request(`/users/${user.id}/${isFollowed ? 'unfollow' : 'follow'}`, { method: 'POST' })
    await refresh(`/users/${user.id}`)
  }, notifyError)
  if (boot.user?.id === user.id) {
    return (
      <LinkButton icon={Pencil} href={addressOf('account/profile', {})}>
        Edit profile
      </LinkButton>
    )
  }
  if (user.is_followed === undefined) return null
  return (
    <Button icon={isFollowed ? UserMinus : UserPlus} isBusy={toggle.isBusy} onClick={() => void toggle.run()}>
      {isFollowed ? 'Unfollow' : 'Follow'}
    </Button>
  )
}

function Content({ user, tab }: { user: ShownUser; tab: string }) {
  const base = `/users/${user.id}`
  switch (tab) {
    case 'memberships':
      return (
        <Memberships
          key={tab}
          id={user.id}
          empty={`There is no group and no project of ${user.name} that you may see.`}
        />
      )
    case 'projects':
      return <ProjectList key={tab} label="Personal projects" list={`${base}/projects`} hidesNamespace />
    case 'contributed':
      return <ProjectList key={tab} label="Contributed projects" list={`${base}/contributed_projects`} />
    case 'starred':
      return <ProjectList key={tab} label="Starred projects" list={`${base}/starred_projects`} />
    case 'followers':
      return <UserList key={tab} path={`${base}/followers`} empty={`Nobody follows ${user.name} yet.`} />
    case 'following':
      return <UserList key={tab} path={`${base}/following`} empty={`${user.name} follows nobody yet.`} />
    default:
      return <Activity path={`${base}/events`} hidesAuthor empty="There is no activity that you may see." />
  }
}
