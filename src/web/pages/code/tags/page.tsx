import { GitCompare, Rocket, Tag as TagIcon, Tags } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { SimpleProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import type { Tag } from '../../../../coordinator/hosting/tags/schema.js'
import { refresh, useRead, useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { useSearch } from '../../../frame/location.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Badge } from '../../../kit/badge.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import { Icon } from '../../../kit/icon.js'
import { PageHeader } from '../../../kit/panel.js'
import { CommitLine } from '../../../records/commit-line.js'
import { useCommitPipelines } from '../../../records/latest-pipelines.js'
import { DeleteRef } from '../delete-ref.js'
import { NewRefDialog } from '../new-ref-dialog.js'
import { RefPanel, RefSearch } from '../ref-panel.js'
import styles from '../ref-rows.module.css'

/** The tags of a repository, the newest first. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Tags · ${project}`)
  const [search] = useSearch()
  const { may, reasonAgainst } = useProjectAbilities(project)
  const [isCreating, setCreating] = useState(false)
  const text = search.get('search') ?? ''
  const path = `${projectApi(project)}/repository/tags`
  const list = useReadList<Tag>(`${path}${queryOf({ search: text || undefined, per_page: 50 })}`)
  const record = useRead<SimpleProject>(projectApi(project), { staleTime: 60_000 }).data
  const pipelines = useCommitPipelines(
    project,
    list.rows.map(({ commit }) => commit.id),
  )
  const reload = () => void refresh(path)
  const reason = reasonAgainst('push_code')
  return (
    <>
      <PageHeader
        title="Tags"
        actions={
          may('push_code') && (
            <Button kind="primary" icon={TagIcon} reason={reason} onClick={() => setCreating(true)}>
              New tag
            </Button>
          )
        }
      />
      <RefSearch label="Find a tag" />
      <RefPanel
        label="Tags"
        list={list}
        empty={
          <Empty
            icon={Tags}
            title={text === '' ? 'The repository has no tag yet.' : 'No tag has this name.'}
          />
        }
      >
        {list.rows.map((tag) => (
          <li key={tag.name}>
            <div class={styles['name']}>
              <Icon icon={TagIcon} size={15} />
              <a href={addressOf('code/tag', { project, tag: tag.name })}>{tag.name}</a>
              {tag.protected && <Badge tone="warning">protected</Badge>}
              {tag.message !== null && tag.message !== '' && (
                <span class={styles['message']}>{tag.message.split('\n')[0]}</span>
              )}
            </div>
            <div class={styles['commit']}>
              <CommitLine project={project} commit={tag.commit} pipeline={pipelines.get(tag.commit.id)} />
            </div>
            <div class={styles['actions']}>
              {tag.release ? (
                <LinkButton
                  icon={Rocket}
                  aria-label={`Release ${tag.name}`}
                  href={addressOf('releases/release', { project, tag: tag.name })}
                >
                  Release
                </LinkButton>
              ) : (
                <LinkButton
                  icon={GitCompare}
                  aria-label={`Compare ${tag.name} with the default branch`}
                  href={addressOf('code/compare', {
                    project,
                    revisions: `${tag.name}...${record?.default_branch ?? ''}`,
                  })}
                >
                  Compare
                </LinkButton>
              )}
              {may('push_code') && (
                <DeleteRef
                  project={project}
                  kind="tag"
                  name={tag.name}
                  reason={
                    reason ??
                    (tag.protected && !may('admin_protected_refs') ? 'The tag is protected.' : undefined)
                  }
                  onDeleted={reload}
                />
              )}
            </div>
          </li>
        ))}
      </RefPanel>
      <LoadMore of="tags" next={list.next} />
      {isCreating && (
        <NewRefDialog
          project={project}
          kind="tag"
          from={record?.default_branch ?? ''}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  )
}
