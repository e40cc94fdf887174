import { Archive, GitFork, Star } from 'lucide'

import { addressOf } from '../../addresses/address-of.js'
import type { FullProject, SimpleProject } from '../../coordinator/hosting/projects/record/schema.js'
import { Avatar } from '../kit/avatar.js'
import { Badge } from '../kit/badge.js'
import { Icon } from '../kit/icon.js'
import { Time } from '../kit/time.js'
import styles from './project-rows.module.css'
import { VisibilityIcon } from './visibility.js'

/** A project in a list. Without a session, the API has fewer fields. */
export type ListedProject = SimpleProject & Partial<Pick<FullProject, 'visibility' | 'archived'>>

interface ProjectRowsProps {
  label: string
  projects: readonly ListedProject[]
  /** Names without the group, where all projects of the list are in it. */
  hidesNamespace?: boolean
}

/** Projects with what one wants to know of them at a glance: what they are, and whether they are in order. */
export function ProjectRows({ label, projects, hidesNamespace = false }: ProjectRowsProps) {
  return (
    <ul class={styles['rows']} aria-label={label}>
      {projects.map((project) => (
        <ProjectRow key={project.id} project={project} hidesNamespace={hidesNamespace} />
      ))}
    </ul>
  )
}

function ProjectRow({ project, hidesNamespace }: { project: ListedProject; hidesNamespace: boolean }) {
  const path = project.path_with_namespace
  return (
    <li class={styles['row']}>
      <Avatar name={project.name} url={project.avatar_url} size={36} isSquare />
      <div class={styles['main']}>
        <p class={styles['title']}>
          <a href={addressOf('overview', { path })} class={styles['name']} data-entry="">
            {!hidesNamespace && <span class={styles['namespace']}>{parentNames(project)} / </span>}
            {project.name}
          </a>
          {project.visibility !== undefined && <VisibilityIcon visibility={project.visibility} />}
          {project.archived && (
            <Badge tone="warning">
              <Icon icon={Archive} size={12} /> Archived
            </Badge>
          )}
        </p>
        {project.description && <p class={styles['description']}>{project.description}</p>}
      </div>
      <ul class={styles['facts']}>
        <li>
          <Icon icon={Star} size={14} label="Stars" /> {project.star_count}
        </li>
        <li>
          <Icon icon={GitFork} size={14} label="Forks" /> {project.forks_count}
        </li>
        <li class={styles['activity']}>
          <Time value={project.last_activity_at} />
        </li>
      </ul>
    </li>
  )
}

function parentNames({ name, name_with_namespace: full }: ListedProject): string {
  return full.endsWith(` / ${name}`) ? full.slice(0, -name.length - 3) : full
}
