import { GitBranch, GitBranchPlus, GitCompare, Trash2 } from 'lucide'
import { useMemo, useState } from 'preact/hooks'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { Branch, BranchSummary } from '../../../../coordinator/hosting/branches/schema.js'
import type { SimpleProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead, useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { useSearch } from '../../../frame/location.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Badge } from '../../../kit/badge.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { Icon } from '../../../kit/icon.js'
import { PageHeader } from '../../../kit/panel.js'
import { CommitLine } from '../../../records/commit-line.js'
import { DeleteRef } from '../delete-ref.js'
import { DivergenceBars } from '../divergence.js'
import { NewRefDialog } from '../new-ref-dialog.js'
import { RefPanel, RefSearch } from '../ref-panel.js'
import styles from '../ref-rows.module.css'
import { useBranchSummaries } from '../use-branch-summaries.js'

/** The branches of a repository, the ones that changed last first. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Branches · ${project}`)
  const [search] = useSearch()
  const { may, reasonAgainst } = useProjectAbilities(project)
  const [dialog, setDialog] = useState<'new' | 'delete-merged'>()
  const text = search.get('search') ?? ''
  const path = `${projectApi(project)}/repository/branches`
  const list = useReadList<Branch>(
    `${path}${queryOf({ search: text || undefined, sort: 'updated_desc', per_page: 50 })}`,
  )
  const record = useRead<SimpleProject>(projectApi(project), { staleTime: 60_000 }).data
  const main = record?.default_branch ?? ''
  const names = useMemo(() => list.rows.map(({ name }) => name), [list.rows])
  const summaries = useBranchSummaries(project, names)
  const reload = () => void refresh(path)
  const deletion = useAction(async () => {
    await requestJson(`${projectApi(project)}/repository/merged_branches`, { method: 'DELETE' })
    setDialog(undefined)
    notify('The merged branches were deleted')
    reload()
  }, notifyError)
  const { result } = list
  const isEmpty = text === '' && result.data !== undefined && list.rows.length === 0
  const reason = reasonAgainst('push_code')
  return (
    <>
      <PageHeader
        title="Branches"
        actions={
          may('push_code') &&
          !isEmpty && (
            <>
              <Button icon={Trash2} reason={reason} onClick={() => setDialog('delete-merged')}>
                Delete merged branches
              </Button>
              <Button kind="primary" icon={GitBranchPlus} reason={reason} onClick={() => setDialog('new')}>
                New branch
              </Button>
            </>
          )
        }
      />
      {!isEmpty && <RefSearch label="Find a branch" />}
      <RefPanel
        label="Branches"
        list={list}
        empty={
          <Empty
            icon={GitBranch}
            title={isEmpty ? 'The repository has no branch yet.' : 'No branch has this name.'}
            action={
              isEmpty && (
                <LinkButton href={addressOf('overview', { path: project })}>How to push to it</LinkButton>
              )
            }
          />
        }
      >
        {list.rows.map((branch) => (
          <li key={branch.name}>
            <div class={styles['name']}>
              <Icon icon={GitBranch} size={15} />
              <a href={addressOf('code/tree', { project, ref_path: branch.name })}>{branch.name}</a>
              {branch.default && <Badge tone="accent">default</Badge>}
              {branch.protected && <Badge tone="warning">protected</Badge>}
              {branch.merged && <Badge>merged</Badge>}
            </div>
            <div class={styles['commit']}>
              <CommitLine
                project={project}
                commit={branch.commit}
                pipeline={summaries.get(branch.name)?.pipeline}
              />
            </div>
            <div class={styles['actions']}>
              {!branch.default && (
                <Divergence
                  project={project}
                  base={main}
                  branch={branch.name}
                  summary={summaries.get(branch.name)}
                />
              )}
              {!branch.default && (
                <LinkButton
                  icon={GitCompare}
                  aria-label={`Compare ${branch.name} with ${main}`}
                  href={addressOf('code/compare', { project, revisions: `${main}...${branch.name}` })}
                >
                  Compare
                </LinkButton>
              )}
              {may('push_code') && !branch.default && (
                <DeleteRef
                  project={project}
                  kind="branch"
                  name={branch.name}
                  reason={reason ?? (branch.protected ? 'The branch is protected.' : undefined)}
                  onDeleted={reload}
                />
              )}
            </div>
          </li>
        ))}
      </RefPanel>
      <LoadMore of="branches" next={list.next} />
      {dialog === 'new' && (
        <NewRefDialog project={project} kind="branch" from={main} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'delete-merged' && (
        <ConfirmDialog
          title="Delete merged branches"
          action="Delete merged branches"
          isBusy={deletion.isBusy}
          onConfirm={() => void deletion.run()}
          onClose={() => setDialog(undefined)}
        >
          <p>All branches whose commits are in {main} will be deleted, except protected ones.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface DivergenceProps {
  project: string
  base: string
  branch: string
  summary: BranchSummary | undefined
}

/** Keeps its place until the commits have been counted, and where there are too many. */
function Divergence({ summary, ...about }: DivergenceProps) {
  const { ahead, behind } = summary ?? { ahead: null, behind: null }
  return (
    <span class={styles['divergence']}>
      {ahead !== null && behind !== null && <DivergenceBars {...about} ahead={ahead} behind={behind} />}
    </span>
  )
}
