import { Download, FolderTree, Rocket } from 'lucide'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { Tag } from '../../../../coordinator/hosting/tags/schema.js'
import { useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate } from '../../../frame/location.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Badge } from '../../../kit/badge.js'
import { LinkButton } from '../../../kit/button.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Time } from '../../../kit/time.js'
import { CommitLine } from '../../../records/commit-line.js'
import { useCommitPipelines } from '../../../records/latest-pipelines.js'
import { MarkedText } from '../../../text/marked-text.js'
import { DeleteRef } from '../delete-ref.js'
import styles from './page.module.css'

const API = '/api/v4'

/** A tag: its message, its commit and its release. */
export function Page({ params: { project, tag: name } }: { params: Record<'project' | 'tag', string> }) {
  useTitle(`${name} · ${project}`)
  const tag = useRead<Tag>(`${projectApi(project)}/repository/tags/${encodeURIComponent(name)}`)
  return (
    <Read of={tag} title="Tag">
      {(record) => <Shown project={project} tag={record} />}
    </Read>
  )
}

function Shown({ project, tag }: { project: string; tag: Tag }) {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const pipelines = useCommitPipelines(project, [tag.commit.id])
  const archive = `${API}${projectApi(project)}/repository/archive.tar.gz?sha=${encodeURIComponent(tag.name)}`
  return (
    <>
      <PageHeader
        title={
          <>
            {tag.name}
            {tag.protected && <Badge tone="warning">protected</Badge>}
          </>
        }
        details={
          tag.created_at === null ? (
            'A lightweight tag'
          ) : (
            <span>
              created <Time value={tag.created_at} />
            </span>
          )
        }
        actions={
          <>
            <LinkButton icon={Download} href={archive} download data-reload="">
              Source code
            </LinkButton>
            <LinkButton icon={FolderTree} href={addressOf('code/tree', { project, ref_path: tag.name })}>
              Browse files
            </LinkButton>
            {tag.release ? (
              <LinkButton icon={Rocket} href={addressOf('releases/release', { project, tag: tag.name })}>
                Release
              </LinkButton>
            ) : (
              may('manage_releases') &&
              reasonAgainst('manage_releases') === undefined && (
                <LinkButton icon={Rocket} href={addressOf('releases/new', { project }, { tag: tag.name })}>
                  New release
                </LinkButton>
              )
            )}
            {may('push_code') && (
              <DeleteRef
                project={project}
                kind="tag"
                name={tag.name}
                reason={
                  reasonAgainst('push_code') ??
                  (tag.protected && !may('admin_protected_refs') ? 'The tag is protected.' : undefined)
                }
                onDeleted={() => navigate(addressOf('code/tags', { project }))}
              />
            )}
          </>
        }
      />
      <Panel>
        {tag.message !== null && tag.message !== '' && (
          <pre class={styles['message']}>
            <MarkedText text={tag.message} />
          </pre>
        )}
        <CommitLine project={project} commit={tag.commit} pipeline={pipelines.get(tag.commit.id)} />
      </Panel>
    </>
  )
}
