import { FolderPlus, Plus } from 'lucide'

import { addressOf } from '../../../addresses/address-of.js'
import { groupApi, groupRecord } from '../../../addresses/first-reads.js'
import { DEVELOPER, MAINTAINER, OWNER } from '../../../coordinator/access/access-levels.js'
import type { Group } from '../../../coordinator/accounts/groups/schema.js'
import { boot } from '../../api/boot.js'
import { useRead, useReadList } from '../../api/use-read.js'
import { useTitle } from '../../frame/document-title.js'
import { useSearch } from '../../frame/location.js'
import { Read } from '../../frame/problem.js'
import { useGroupAbilities } from '../../frame/use-abilities.js'
import { Avatar } from '../../kit/avatar.js'
import { LinkButton } from '../../kit/button.js'
import { formatCount } from '../../kit/bytes.js'
import { PageHeader, Panel } from '../../kit/panel.js'
import { Tabs } from '../../kit/tabs.js'
import { Activity } from '../../records/activity.js'
import { LevelMenu } from '../../records/notification-level.js'
import { ProjectList } from '../../records/project-list.js'
import { VisibilityBadge } from '../../records/visibility.js'
import { GroupMembership } from './group-membership.js'
import styles from './group-overview.module.css'
import { GroupTree } from './group-tree.js'
import { OverviewSkeleton } from './overview-skeleton.js'

const MAX_COUNTED = 1000

/** A group: its subgroups and projects as a tree, and what happens in them. */
export function GroupOverview({ path }: { path: string }) {
  const group = useRead<Group>(groupRecord(path), { staleTime: 60_000 })
  return (
    <Read of={group} title={path} loading={<OverviewSkeleton />}>
      {(record) => <Loaded group={record} />}
    </Read>
  )
}

const TABS = [
  { name: '', label: 'Subgroups and projects' },
  { name: 'shared', label: 'Shared projects' },
  { name: 'inactive', label: 'Inactive' },
  { name: 'activity', label: 'Activity' },
]

function Loaded({ group }: { group: Group }) {
  const { level, may } = useGroupAbilities(group.full_path)
  const [query] = useSearch()
  const tab = query.get('tab') ?? ''
  useTitle(group.full_name)
  const mayCreate = {
    project: boot.user !== null && level >= leastForProjects(group.project_creation_level),
    subgroup: boot.user !== null && level >= (group.subgroup_creation_level === 'owner' ? OWNER : MAINTAINER),
  }
  return (
    <>
      <PageHeader
        title={
          <>
            <Avatar name={group.name} url={group.avatar_url} size={36} isSquare />
            {group.name}
            <VisibilityBadge visibility={group.visibility} />
          </>
        }
        details={
          <>
            {group.description && <p>{group.description}</p>}
            <GroupCounts group={group} />
          </>
        }
        actions={
          <>
            {boot.user && may('set_group_notifications') && (
              <LevelMenu path={`${groupApi(group.full_path)}/notification_settings`} />
            )}
            <GroupMembership group={group} />
            {mayCreate.subgroup && (
              <LinkButton icon={FolderPlus} href={addressOf('groups/new', {}, { parent_id: group.id })}>
                New subgroup
              </LinkButton>
            )}
            {mayCreate.project && (
              <LinkButton
                kind="primary"
                icon={Plus}
                href={addressOf('projects/new', {}, { namespace_id: group.id })}
              >
                New project
              </LinkButton>
            )}
          </>
        }
      />
      <Tabs
        label="Parts of the group"
        tabs={TABS.map(({ name, label }) => ({
          label,
          href: addressOf('overview', { path: group.full_path }, { tab: name || undefined }),
          isCurrent: tab === name,
        }))}
      />
      <Panel isFlush class={styles['panel']}>
        <Content group={group} tab={tab} />
      </Panel>
    </>
  )
}

/** How many projects and members there are. */
function GroupCounts({ group }: { group: Group }) {
  const base = groupApi(group.full_path)
  const projects = useReadList(`${base}/projects?include_subgroups=true&simple=true&per_page=1`)
  const members = useReadList(`${base}/members/all?per_page=1`)
  return (
    <span class={styles['counts']}>
      {projects.total !== undefined && <span>{counted(projects.total, 'project')}</span>}
      {members.total !== undefined && (
        <a href={addressOf('groups/members', { group: group.full_path })}>
          {counted(members.total, 'member')}
        </a>
      )}
    </span>
  )
}

function counted(total: number, word: string): string {
  return `${formatCount(Math.min(total, MAX_COUNTED), total > MAX_COUNTED)} ${total === 1 ? word : `${word}s`}`
}

function Content({ group, tab }: { group: Group; tab: string }) {
  const base = groupApi(group.full_path)
  switch (tab) {
    case 'shared':
      return <ProjectList key={tab} label="Shared projects" list={`${base}/projects/shared`} />
    case 'inactive':
      return (
        <ProjectList
          key={tab}
          label="Inactive projects"
          list={`${base}/projects`}
          fixed={{ archived: true, include_subgroups: true, with_shared: false }}
        />
      )
    case 'activity':
      return <Activity path={`${base}/events`} />
    default:
      return (
        <ProjectList
          key={tab}
          label="Projects"
          list={`${base}/projects`}
          fixed={{ archived: false, include_subgroups: true, with_shared: false }}
          unfiltered={<GroupTree group={group} />}
        />
      )
  }
}

function leastForProjects(creationLevel: string): number {
  if (creationLevel === 'noone') return boot.user?.is_admin ? 0 : Infinity
  return creationLevel === 'maintainer' ? MAINTAINER : DEVELOPER
}
