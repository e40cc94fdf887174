import { Boxes, ChevronRight, Folder, Plus } from 'lucide'
import { useId, useState } from 'preact/hooks'

import { addressOf, queryOf } from '../../../addresses/address-of.js'
import { groupApi } from '../../../addresses/first-reads.js'
import type { Group } from '../../../coordinator/accounts/groups/schema.js'
import type { SubgroupStatuses } from '../../../coordinator/ci/pipelines/everywhere/schema.js'
import { MINUTE } from '../../../lib/time-units.js'
import { useRead, useReadList } from '../../api/use-read.js'
import { rememberGroups } from '../../frame/found.js'
import { LoadMore } from '../../frame/load-more.js'
import { useSearch } from '../../frame/location.js'
import { Problem } from '../../frame/problem.js'
import { Avatar } from '../../kit/avatar.js'
import { LinkButton } from '../../kit/button.js'
import { Empty } from '../../kit/empty.js'
import { Icon } from '../../kit/icon.js'
import { Skeleton } from '../../kit/skeleton.js'
import { StatusIcon } from '../../kit/status.js'
import { GroupTitle } from '../../records/group-title.js'
import { filterIn, projectsPath } from '../../records/project-query.js'
import { type ListedProject, ProjectRows } from '../../records/project-rows.js'
import styles from './group-tree.module.css'
import { countsInOrder } from './status-counts.js'

const PAGE = 20
const STATUS_INTERVAL = MINUTE

/** The subgroups and projects of a group; a subgroup opens in place. */
export function GroupTree({ group, isInner = false }: { group: Group; isInner?: boolean }) {
  const [query] = useSearch()
  const base = groupApi(group.full_path)
  const subgroups = useReadList<Group>(
    `${base}/subgroups${queryOf({ all_available: true, order_by: 'name', per_page: PAGE })}`,
  )
  const projects = useReadList<ListedProject>(
    projectsPath(`${base}/projects`, { archived: false, with_shared: false }, filterIn(query)),
    { keepsPrevious: true },
  )
  const hasSubgroups = subgroups.rows.length > 0
  const statuses = useRead<SubgroupStatuses>(hasSubgroups ? `${base}/pipelines_summary` : undefined, {
    refetchInterval: STATUS_INTERVAL,
  })
  const statusesOf = (id: number) =>
    statuses.data?.subgroups.find(({ group_id: group }) => group === id)?.statuses ?? {}
  const error = subgroups.result.error ?? projects.result.error
  if (error && subgroups.rows.length + projects.rows.length === 0) {
    return (
      <div class={styles['problem']}>
        <Problem
          error={error}
          retry={() => {
            void subgroups.result.refetch()
            void projects.result.refetch()
          }}
        />
      </div>
    )
  }
  rememberGroups(subgroups.rows.map(({ full_path }) => full_path))
  if (!subgroups.result.data || !projects.result.data) return <Skeleton rows={isInner ? 2 : 6} />
  if (subgroups.rows.length + projects.rows.length === 0) {
    return isInner ? <p class={styles['none']}>This subgroup is empty.</p> : <EmptyGroup group={group} />
  }
  return (
    <>
      {hasSubgroups && (
        <ul class={styles['groups']} aria-label={`Subgroups of ${group.name}`}>
          {subgroups.rows.map((subgroup) => (
            <Branch key={subgroup.id} group={subgroup} statuses={statusesOf(subgroup.id)} />
          ))}
        </ul>
      )}
      <LoadMore of="subgroups" next={subgroups.next} />
      {projects.rows.length > 0 && (
        <ProjectRows label={`Projects of ${group.name}`} projects={projects.rows} hidesNamespace />
      )}
      <LoadMore of="projects" next={projects.next} />
    </>
  )
}

function Branch({ group, statuses }: { group: Group; statuses: Record<string, number> }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <li class={styles['branch']}>
      <div class={styles['row']}>
        <button
          type="button"
          class={styles['toggle']}
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={`${group.name}: projects and subgroups`}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon icon={ChevronRight} />
        </button>
        <Icon icon={Folder} class={styles['folder']} />
        <Avatar name={group.name} url={group.avatar_url} size={28} isSquare />
        <GroupTitle group={group} name={group.name} />
        <StatusCounts statuses={statuses} />
      </div>
      <div id={id} class={styles['inner']} hidden={!isOpen}>
        {isOpen && <GroupTree group={group} isInner />}
      </div>
    </li>
  )
}

/** How many default branches are in order, the ones that are not first. */
function StatusCounts({ statuses }: { statuses: Record<string, number> }) {
  const counts = countsInOrder(statuses)
  if (counts.length === 0) return null
  return (
    <ul class={styles['counts']} aria-label="Default branches by the status of their last pipeline">
      {counts.map(({ status, count }) => (
        <li key={status}>
          <StatusIcon status={status} size={15} /> {count}
        </li>
      ))}
    </ul>
  )
}

function EmptyGroup({ group }: { group: Group }) {
  return (
    <Empty
      icon={Boxes}
      title="There are no projects in this group yet."
      action={
        <LinkButton icon={Plus} href={addressOf('projects/new', {}, { namespace_id: group.id })}>
          New project
        </LinkButton>
      }
    >
      Projects of a group share its members, its variables and its runners.
    </Empty>
  )
}
