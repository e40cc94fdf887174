import { Archive, GitFork, Play, Star } from 'lucide'

import { addressOf, queryOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import { boot } from '../../api/boot.js'
import { request } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { patch, refresh, useRead } from '../../api/use-read.js'
import { notifyError } from '../../frame/notices.js'
import type { May } from '../../frame/use-abilities.js'
import { Avatar } from '../../kit/avatar.js'
import { Badge } from '../../kit/badge.js'
import { Button, LinkButton } from '../../kit/button.js'
import { Icon } from '../../kit/icon.js'
import { PageHeader } from '../../kit/panel.js'
import { ForkButton } from '../../records/fork-button.js'
import { LevelMenu } from '../../records/notification-level.js'
import { VisibilityBadge } from '../../records/visibility.js'
import { CloneBox } from './clone-box.js'
import styles from './project-header.module.css'
import type { ShownProject } from './shown-project.js'

interface Shown {
  project: ShownProject
  abilities: May
}

/** Name and state of the project, and what one does with it as a whole. */
export function ProjectHeader({ project, abilities }: Shown) {
  const { may, reasonAgainst, readOnly } = abilities
  const path = project.path_with_namespace
  const reason = reasonAgainst('run_pipelines')
  return (
    <PageHeader
      title={
        <>
          <Avatar name={project.name} url={project.avatar_url} size={36} isSquare />
          {project.name}
          {project.visibility && <VisibilityBadge visibility={project.visibility} />}
          {readOnly === 'archived' && (
            <Badge tone="warning">
              <Icon icon={Archive} size={12} /> Archived
            </Badge>
          )}
        </>
      }
      details={project.description ? <p class={styles['description']}>{project.description}</p> : undefined}
      actions={
        <>
          {boot.user && may('set_notifications') && (
            <LevelMenu path={`${projectApi(path)}/notification_settings`} />
          )}
          <StarButton project={project} />
          <Forks project={project} abilities={abilities} />
          {may('read_code') && !project.empty_repo && <CloneBox project={project} />}
          {may('run_pipelines') && !project.empty_repo && (
            <LinkButton
              kind="primary"
              icon={Play}
              reason={reason}
              href={addressOf('pipelines/new', { project: path })}
            >
              Run pipeline
            </LinkButton>
          )}
        </>
      }
    />
  )
}

/** Shows the star at once; the server is asked in the background. */
function StarButton({ project }: { project: ShownProject }) {
  const { id } = project
  const base = projectApi(project.path_with_namespace)
  const path = `/projects${queryOf({ starred: true, simple: true, id_after: id - 1, id_before: id + 1 })}`
  const { data } = useRead<{ id: number }[]>(boot.user ? path : undefined)
  const isStarred = (data?.length ?? 0) > 0
  const show = (starred: boolean, count: number) => {
    patch(path, () => (starred ? [{ id }] : []))
    patch<ShownProject>(base, (record) => ({ ...record, star_count: count }))
  }
  const toggle = useAction(async () => {
    const count = project.star_count
    show(!isStarred, count + (isStarred ? -1 : 1))
    try {
      await request(`${base}/${isStarred ? 'unstar' : 'star'}`, { method: 'POST' })
    } catch (error) {
      show(isStarred, count)
      throw error
    }
    await refresh('/projects?')
  }, notifyError)
  if (!boot.user) {
    return (
      <span class={styles['count']}>
        <Icon icon={Star} label="Stars" /> {project.star_count}
      </span>
    )
  }
  return (
    <Button
      isChange
      icon={Star}
      class={isStarred ? styles['starred'] : undefined}
      aria-pressed={isStarred}
      onClick={() => void toggle.run()}
    >
      {isStarred ? 'Starred' : 'Star'} <span class={styles['number']}>{project.star_count}</span>
    </Button>
  )
}

function Forks({ project, abilities: { may } }: Shown) {
  const href = addressOf('projects/forks', { project: project.path_with_namespace })
  const count = <span class={styles['number']}>{project.forks_count}</span>
  if (!boot.user || !may('fork_project') || project.empty_repo) {
    return (
      <LinkButton icon={GitFork} href={href}>
        Forks {count}
      </LinkButton>
    )
  }
  return (
    <span class={styles['pair']}>
      <ForkButton project={project} />
      <LinkButton href={href} aria-label={`Forks: ${project.forks_count}`}>
        {count}
      </LinkButton>
    </span>
  )
}
