import { Archive, GitFork, Star } from 'lucide'

import { addressOf } from '../../addresses/address-of.js'
import type { PipelinesSummary } from '../../coordinator/ci/pipelines/everywhere/schema.js'
import type { FullProject, SimpleProject } from '../../coordinator/hosting/projects/record/schema.js'
import { Avatar } from '../kit/avatar.js'
import { Badge } from '../kit/badge.js'
import { classNames } from '../kit/class-names.js'
import { formatDuration } from '../kit/durations.js'
import { Icon } from '../kit/icon.js'
import list from '../kit/list-rows.module.css'
import { StatusIcon, statusLook } from '../kit/status.js'
import { Time } from '../kit/time.js'
import { barStatistics } from './bar-statistics.js'
import { SmallBars } from './pipeline-bars.js'
import styles from './project-rows.module.css'
import { useSummaries } from './use-summaries.js'
import { VisibilityIcon } from './visibility.js'

/** A project in a list. Without a session, the API has fewer fields. */
export type ListedProject = SimpleProject & Partial<Pick<FullProject, 'visibility' | 'archived'>>

interface ProjectRowsProps {
  label: string
  projects: readonly ListedProject[]
  /** Names without the group, where all projects of the list are in it. */
  hidesNamespace?: boolean
}

/** The pipelines of so many projects are asked for together: a page of a list. */
const CHUNK = 20

/** Projects with what one wants to know of them at a glance: what they are, and whether they are in order. */
export function ProjectRows({ label, projects, hidesNamespace = false }: ProjectRowsProps) {
  const chunks = Array.from({ length: Math.ceil(projects.length / CHUNK) }, (_, index) =>
    projects.slice(index * CHUNK, (index + 1) * CHUNK),
  )
  return (
    <ul class={styles['rows']} aria-label={label}>
      {chunks.map((chunk, index) => (
        <Chunk key={index} projects={chunk} hidesNamespace={hidesNamespace} isLive={index === 0} />
      ))}
    </ul>
  )
}

type ChunkProps = Required<Omit<ProjectRowsProps, 'label'>> & { isLive: boolean }

function Chunk({ projects, hidesNamespace, isLive }: ChunkProps) {
  const { summaries, isPending } = useSummaries(
    projects.map(({ id }) => id),
    isLive,
  )
  return (
    <>
      {projects.map((project) => (
        <ProjectRow
          key={project.id}
          project={project}
          hidesNamespace={hidesNamespace}
          summary={summaries.get(project.id)}
          isPending={isPending}
        />
      ))}
    </>
  )
}

interface ProjectRowProps {
  project: ListedProject
  hidesNamespace: boolean
  summary: PipelinesSummary | undefined
  /** The summary is being read. */
  isPending: boolean
}

function ProjectRow({ project, hidesNamespace, summary, isPending }: ProjectRowProps) {
  const path = project.path_with_namespace
  return (
    <li class={classNames(list['row'], styles['row'])} data-pending={isPending ? '' : undefined}>
      <Avatar name={project.name} url={project.avatar_url} size={36} isSquare />
      <div class={styles['main']}>
        <p class={styles['title']}>
          <a href={addressOf('overview', { path })} class={list['name']} data-entry="">
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
        {project.description && (
          <p class={classNames(list['description'], styles['description'])}>{project.description}</p>
        )}
      </div>
      <div class={styles['pipelines']}>{summary && <Pipelines project={project} summary={summary} />}</div>
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

/** The last pipeline of the default branch, and how the ones before it went. */
function Pipelines({ project, summary }: { project: ListedProject; summary: PipelinesSummary }) {
  const { last_pipeline: last, pipelines, running } = summary
  if (!last) return null
  const path = project.path_with_namespace
  const statistics = barStatistics(pipelines)
  return (
    <>
      <a
        class={styles['last']}
        href={addressOf('pipelines/pipeline', { project: path, id: String(last.id) })}
      >
        <StatusIcon
          status={last.status}
          label={`Pipeline #${last.id} on ${last.ref}: ${statusLook(last.status).label}`}
        />
        <Time value={last.created_at} />
      </a>
      <SmallBars project={path} pipelines={pipelines} branch={last.ref} />
      <span class={styles['numbers']}>
        {statistics && (
          <span title="Share of these pipelines that passed, and their median duration">
            {statistics.passed} %{statistics.median !== null && ` · ${formatDuration(statistics.median)}`}
          </span>
        )}
        {running > 0 && <span class={styles['running']}>{running} running</span>}
      </span>
    </>
  )
}

function parentNames({ name, name_with_namespace: full }: ListedProject): string {
  return full.endsWith(` / ${name}`) ? full.slice(0, -name.length - 3) : full
}
