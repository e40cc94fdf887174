import { FileCheck, GitCompare, SquarePen, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { Release } from '../../../../coordinator/hosting/releases/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate } from '../../../frame/location.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { PageHeader, Panel, Panels } from '../../../kit/panel.js'
import { Time } from '../../../kit/time.js'
import { useTagPipelines } from '../../../records/latest-pipelines.js'
import { latestTag, releaseBefore } from '../notes-draft.js'
import { ReleaseAssets, ReleaseBadges, ReleaseFacts, ReleaseNotes } from '../release-card.js'
import styles from './page.module.css'

/** A release: notes, assets, evidence. */
export function Page({ params: { project, tag } }: { params: Record<'project' | 'tag', string> }) {
  useTitle(`Release ${tag} · ${project}`)
  const release = useRead<Release>(`${projectApi(project)}/releases/${encodeURIComponent(tag)}`)
  return (
    <Read of={release} title="Release">
      {(record) => <Shown project={project} release={record} />}
    </Read>
  )
}

function Shown({ project, release }: { project: string; release: Release }) {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const base = `${projectApi(project)}/releases`
  const tag = release.tag_name
  const near = useRead<Release[]>(`${base}?per_page=50&include_html_description=false`, { staleTime: 60_000 })
  const before = near.data && releaseBefore(near.data, tag)
  const pipelines = useTagPipelines(project)
  const mayManage = may('manage_releases')
  const reason = reasonAgainst('manage_releases')
  return (
    <>
      <PageHeader
        title={
          <>
            {release.name}
            <ReleaseBadges release={release} isLatest={latestTag(near.data ?? []) === tag} />
          </>
        }
        details={<ReleaseFacts project={project} release={release} pipeline={pipelines.get(tag)} />}
        actions={
          <>
            {may('read_code') && before && (
              <LinkButton
                icon={GitCompare}
                href={addressOf('code/compare', { project, revisions: `${before.tag_name}...${tag}` })}
              >
                Changes since {before.tag_name}
              </LinkButton>
            )}
            {mayManage && reason === undefined && (
              <LinkButton icon={SquarePen} href={addressOf('releases/edit', { project, tag })}>
                Edit
              </LinkButton>
            )}
            {mayManage && <DeleteRelease project={project} release={release} reason={reason} />}
          </>
        }
      />
      <Panels>
        <Panel>
          <ReleaseNotes release={release} below={1} />
        </Panel>
        {release.assets.count > 0 && (
          <Panel title="Assets">
            <ReleaseAssets release={release} />
          </Panel>
        )}
        {(release.evidences.length > 0 || mayManage) && (
          <Evidence project={project} release={release} mayCollect={mayManage} reason={reason} />
        )}
      </Panels>
    </>
  )
}

interface EvidenceProps {
  project: string
  release: Release
  mayCollect: boolean
  reason: string | undefined
}

/** Snapshots of the release, which show whether it was changed later. */
function Evidence({ project, release, mayCollect, reason }: EvidenceProps) {
  const path = `${projectApi(project)}/releases/${encodeURIComponent(release.tag_name)}`
  const collecting = useAction(async () => {
    await requestJson(`${path}/evidence`, { method: 'POST' })
    await refresh(path)
  }, notifyError)
  return (
    <Panel
      title="Evidence"
      actions={
        mayCollect && (
          <Button
            size="small"
            icon={FileCheck}
            reason={reason}
            isBusy={collecting.isBusy}
            onClick={() => void collecting.run()}
          >
            Collect evidence
          </Button>
        )
      }
    >
      {release.evidences.length === 0 ? (
        <p class={styles['none']}>
          No snapshot has been taken. One records the release, its milestones and issues.
        </p>
      ) : (
        <ul class={styles['evidence']}>
          {release.evidences.map(({ sha, filepath, collected_at: at }) => (
            <li key={filepath}>
              <a href={new URL(filepath).pathname} data-reload="">
                Snapshot
              </a>
              <span>
                collected <Time value={at} />
              </span>
              <code title="SHA-256 of the snapshot">{sha}</code>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function DeleteRelease({
  project,
  release: { tag_name: tag, name },
  reason,
}: {
  project: string
  release: Release
  reason: string | undefined
}) {
  const [asks, setAsks] = useState(false)
  const base = `${projectApi(project)}/releases`
  const deletion = useAction(async () => {
    await requestJson(`${base}/${encodeURIComponent(tag)}`, { method: 'DELETE' })
    notify(`The release ${name} was deleted`)
    navigate(addressOf('releases/list', { project }))
    await refresh(`${base}?`)
  }, notifyError)
  return (
    <>
      <Button icon={Trash2} reason={reason} onClick={() => setAsks(true)}>
        Delete
      </Button>
      {asks && (
        <ConfirmDialog
          title="Delete release"
          action="Delete release"
          isBusy={deletion.isBusy}
          onConfirm={() => void deletion.run()}
          onClose={() => setAsks(false)}
        >
          <p>
            The release <strong>{name}</strong> will be deleted, with its notes, links and evidence. The tag{' '}
            {tag} stays.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
