import { Archive, ChevronLeft } from 'lucide'

import { groupRecord, projectApi } from '../../addresses/first-reads.js'
import type { PageMatch } from '../../addresses/page-table.js'
import type { Group } from '../../coordinator/accounts/groups/schema.js'
import type { FullProject } from '../../coordinator/hosting/projects/record/schema.js'
import { useRead } from '../api/use-read.js'
import { Avatar } from '../kit/avatar.js'
import { Icon } from '../kit/icon.js'
import type { Found } from './found.js'
import { accountEntries, adminEntries, groupEntries, projectEntries, type SideEntry } from './side-entries.js'
import styles from './side.module.css'
import { useGroupAbilities, useProjectAbilities } from './use-abilities.js'

/** What the pages with a side navigation are about. */
export type Section =
  | { kind: 'project'; path: string }
  | { kind: 'group'; path: string }
  | { kind: 'admin' }
  | { kind: 'account' }

/**
 * The section of a page; undefined for pages without a side navigation.
 * @param found what the address names; it tells a group from a project where both have the same shape of address
 */
export function sectionOf({ name, params }: PageMatch, found: Found): Section | undefined {
  if (params['project'] !== undefined) return { kind: 'project', path: params['project'] }
  if (params['group'] !== undefined) return { kind: 'group', path: params['group'] }
  if (name === 'overview' && (found === 'project' || found === 'group')) {
    return { kind: found, path: params['path'] ?? '' }
  }
  if (name.startsWith('admin/')) return { kind: 'admin' }
  if (name.startsWith('account/')) return { kind: 'account' }
  return undefined
}

export function Side({ section, page }: { section: Section; page: PageMatch }) {
  switch (section.kind) {
    case 'project':
      return <ProjectSide path={section.path} page={page} />
    case 'group':
      return <GroupSide path={section.path} page={page} />
    case 'admin':
      return <Entries title="Administration" entries={adminEntries()} page={page} />
    case 'account':
      return <Entries title="Your account" entries={accountEntries()} page={page} />
  }
}

function ProjectSide({ path, page }: { path: string; page: PageMatch }) {
  const { data: project } = useRead<FullProject>(projectApi(path), { staleTime: 60_000 })
  const abilities = useProjectAbilities(path)
  const parent = path.slice(0, path.lastIndexOf('/'))
  return (
    <>
      <a class={styles['parent']} href={`/${parent}`}>
        <Icon icon={ChevronLeft} size={14} />
        {project?.namespace.name ?? parent}
      </a>
      <a class={styles['heading']} href={`/${path}`}>
        <Avatar
          name={project?.name ?? path.slice(parent.length + 1)}
          url={project?.avatar_url}
          size={28}
          isSquare
        />
        <span class={styles['name']}>{project?.name ?? path.slice(parent.length + 1)}</span>
      </a>
      {abilities.readOnly === 'archived' && (
        <p class={styles['state']}>
          <Icon icon={Archive} size={14} /> Archived: read-only
        </p>
      )}
      <List label="Project" entries={projectEntries(path, abilities)} page={page} />
    </>
  )
}

function GroupSide({ path, page }: { path: string; page: PageMatch }) {
  const { data: group } = useRead<Group>(groupRecord(path), { staleTime: 60_000 })
  const abilities = useGroupAbilities(path)
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  const name = group?.name ?? path.slice(path.lastIndexOf('/') + 1)
  return (
    <>
      {parent !== '' && (
        <a class={styles['parent']} href={`/${parent}`}>
          <Icon icon={ChevronLeft} size={14} />
          {parent}
        </a>
      )}
      <a class={styles['heading']} href={`/${path}`}>
        <Avatar name={name} url={group?.avatar_url} size={28} isSquare />
        <span class={styles['name']}>{name}</span>
      </a>
      <List label="Group" entries={groupEntries(path, abilities)} page={page} />
    </>
  )
}

function Entries({ title, entries, page }: { title: string; entries: SideEntry[]; page: PageMatch }) {
  return (
    <>
      <p class={styles['title']}>{title}</p>
      <List label={title} entries={entries} page={page} />
    </>
  )
}

function List({ label, entries, page }: { label: string; entries: SideEntry[]; page: PageMatch }) {
  const current = entries.find(({ pages }) => pages.some((start) => page.name.startsWith(start)))
  return (
    <nav aria-label={label} class={styles['list']}>
      {entries.map((entry) => (
        <a
          key={entry.href}
          href={entry.href}
          class={styles['entry']}
          aria-current={entry === current ? 'page' : undefined}
        >
          <Icon icon={entry.icon} />
          {entry.label}
        </a>
      ))}
    </nav>
  )
}
