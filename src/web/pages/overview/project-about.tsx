import { GitFork, Rocket } from 'lucide'

import { addressOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import type { FullProject } from '../../../coordinator/hosting/projects/record/schema.js'
import type { Release } from '../../../coordinator/hosting/releases/schema.js'
import { boot } from '../../api/boot.js'
import { useRead } from '../../api/use-read.js'
import type { May } from '../../frame/use-abilities.js'
import { formatBytes, formatCount } from '../../kit/bytes.js'
import { Icon } from '../../kit/icon.js'
import { Time } from '../../kit/time.js'
import { Languages } from './languages.js'
import styles from './project-about.module.css'
import type { ShownProject } from './shown-project.js'

const FEW = 3

/** Facts about the project beside its files. */
export function ProjectAbout({ project, abilities: { may } }: { project: ShownProject; abilities: May }) {
  const base = projectApi(project.path_with_namespace)
  const hasCode = may('read_code') && project.default_branch !== null
  const wantsFacts = hasCode && boot.user !== null
  // Apart from the record, because the server asks git for them.
  const facts = useRead<FullProject>(wantsFacts ? `${base}?statistics=true&license=true` : undefined, {
    staleTime: 60_000,
  }).data
  return (
    <aside class={styles['about']} aria-label="About this project">
      <section>
        <h2>About</h2>
        {!project.description && <p class={styles['quiet']}>No description.</p>}
        {project.forked_from_project && (
          <p>
            <Icon icon={GitFork} size={14} /> Forked from{' '}
            <a href={addressOf('overview', { path: project.forked_from_project.path_with_namespace })}>
              {project.forked_from_project.path_with_namespace}
            </a>
          </p>
        )}
        <Topics topics={project.topics} />
        <dl class={styles['facts']}>
          {facts?.statistics && (
            <>
              <dt>Commits</dt>
              <dd>{formatCount(facts.statistics.commit_count)}</dd>
              <dt>Storage</dt>
              <dd>{formatBytes(facts.statistics.storage_size)}</dd>
            </>
          )}
          {facts?.license && (
            <>
              <dt>License</dt>
              <dd>
                {facts.license_url ? (
                  <a href={facts.license_url}>{facts.license.name}</a>
                ) : (
                  facts.license.name
                )}
              </dd>
            </>
          )}
          <dt>Last activity</dt>
          <dd>
            <a href={addressOf('projects/activity', { project: project.path_with_namespace })}>
              <Time value={project.last_activity_at} />
            </a>
          </dd>
          <dt>Created</dt>
          <dd>
            <Time value={project.created_at} />
          </dd>
        </dl>
      </section>
      {hasCode && <Languages project={project.path_with_namespace} />}
      {may('read_releases') && <Releases project={project.path_with_namespace} />}
    </aside>
  )
}

function Topics({ topics }: { topics: readonly string[] }) {
  if (topics.length === 0) return null
  return (
    <ul class={styles['topics']} aria-label="Topics">
      {topics.map((topic) => (
        <li key={topic}>
          <a href={addressOf('projects/topic', { name: topic })}>{topic}</a>
        </li>
      ))}
    </ul>
  )
}

function Releases({ project }: { project: string }) {
  const { data } = useRead<Release[]>(
    `${projectApi(project)}/releases?per_page=${FEW}&include_html_description=false`,
    { staleTime: 60_000 },
  )
  if (!data || data.length === 0) return null
  return (
    <section>
      <h2>
        <a href={addressOf('releases/list', { project })}>Releases</a>
      </h2>
      <ul class={styles['releases']}>
        {data.map(({ tag_name: tag, name, released_at: at }) => (
          <li key={tag}>
            <Icon icon={Rocket} size={14} />
            <a href={addressOf('releases/release', { project, tag })}>{name}</a>
            <span class={styles['quiet']}>
              <Time value={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
