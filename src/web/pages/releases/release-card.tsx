import { type Download, ExternalLink, FileArchive, Flag, Package, Tag } from 'lucide'
import type { ComponentChildren } from 'preact'

import { addressOf } from '../../../addresses/address-of.js'
import type { Release } from '../../../coordinator/hosting/releases/schema.js'
import { Rendered } from '../../code/rendered.js'
import { Badge } from '../../kit/badge.js'
import { Icon } from '../../kit/icon.js'
import { StatusIcon, statusLook } from '../../kit/status.js'
import { Time } from '../../kit/time.js'
import type { LatestPipeline } from '../../records/latest-pipelines.js'
import { UserLink } from '../../records/user-link.js'
import styles from './release-card.module.css'

interface ReleaseBadgesProps {
  release: Release
  isLatest: boolean
}

export function ReleaseBadges({ release, isLatest }: ReleaseBadgesProps) {
  return (
    <>
      {isLatest && <Badge tone="success">Latest</Badge>}
      {release.upcoming_release && <Badge tone="warning">Upcoming</Badge>}
      {release.historical_release && <Badge title="Created after its date">Historical</Badge>}
    </>
  )
}

interface ReleaseFactsProps {
  project: string
  release: Release
  /** The latest pipeline of its tag. */
  pipeline: LatestPipeline | undefined
}

/** Tag, commit, pipeline, time, author and milestones of a release, in a line. */
export function ReleaseFacts({ project, release, pipeline }: ReleaseFactsProps) {
  const { tag_name: tag, commit, released_at: at, upcoming_release: isUpcoming, author, milestones } = release
  return (
    <p class={styles['facts']}>
      <a class={styles['fact']} href={addressOf('code/tag', { project, tag })}>
        <Icon icon={Tag} size={14} />
        {tag}
      </a>
      {commit && (
        <a class={styles['sha']} href={addressOf('code/commit', { project, sha: commit.id })}>
          {commit.short_id}
        </a>
      )}
      {pipeline && (
        <a
          class={styles['fact']}
          href={addressOf('pipelines/pipeline', { project, id: String(pipeline.id) })}
          aria-label={`Pipeline #${pipeline.id}: ${statusLook(pipeline.status).label}`}
        >
          <StatusIcon status={pipeline.status} />#{pipeline.id}
        </a>
      )}
      <span>
        {isUpcoming ? 'will be released ' : 'released '}
        <Time value={at} />
      </span>
      {author && (
        <span class={styles['fact']}>
          by <UserLink user={author} />
        </span>
      )}
      {milestones.map(({ id, title, state }) => (
        <span key={id} class={styles['fact']}>
          <Icon icon={Flag} size={14} label="Milestone" />
          {title}
          {state === 'closed' && ' (closed)'}
        </span>
      ))}
    </p>
  )
}

interface ReleaseNotesProps {
  release: Release
  /** Level of the heading above them. */
  below: number
}

/** The notes of a release. */
export function ReleaseNotes({ release: { description, description_html: html }, below }: ReleaseNotesProps) {
  if (!description || html === undefined) return <p class={styles['none']}>This release has no notes.</p>
  return <Rendered html={html} below={below} />
}

const LINK_ICONS = { package: Package, other: ExternalLink, runbook: ExternalLink, image: ExternalLink }

/** What can be downloaded: links, and archives of the repository. */
export function ReleaseAssets({ release: { assets } }: { release: Release }) {
  const { links, sources = [] } = assets
  if (links.length + sources.length === 0) return null
  return (
    <ul class={styles['assets']} aria-label="Assets">
      {links.map(({ id, name, url, link_type: type }) => (
        <Asset key={id} icon={LINK_ICONS[type as keyof typeof LINK_ICONS]} href={url} isForeign>
          {name}
          {type !== 'other' && <Badge>{type}</Badge>}
        </Asset>
      ))}
      {sources.map(({ format, url }) => (
        <Asset key={format} icon={FileArchive} href={url}>
          Source code ({format})
        </Asset>
      ))}
    </ul>
  )
}

interface AssetProps {
  icon: typeof Download
  href: string
  isForeign?: boolean
  children: ComponentChildren
}

function Asset({ icon, href, isForeign = false, children }: AssetProps) {
  const more = isForeign ? { target: '_blank', rel: 'noopener noreferrer' } : { download: true }
  return (
    <li>
      <a href={href} data-reload="" {...more}>
        <Icon icon={icon} size={15} />
        {children}
      </a>
    </li>
  )
}
