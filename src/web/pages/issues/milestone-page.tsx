import { CircleCheck, CircleDot, Milestone, Pencil } from 'lucide'
import { useState } from 'preact/hooks'

import { request, requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead } from '../../api/use-read.js'
import { Markdown } from '../../discussion/markdown.js'
import { useTitle } from '../../frame/document-title.js'
import { navigate } from '../../frame/location.js'
import { notifyError } from '../../frame/notices.js'
import { NotFound, Read } from '../../frame/problem.js'
import { Button } from '../../kit/button.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import { Empty } from '../../kit/empty.js'
import { Menu, MenuItem } from '../../kit/menu.js'
import { Box, PageHeader } from '../../kit/panel.js'
import { BurndownPanel } from './burndown.js'
import { IssueList } from './issue-list.js'
import { MilestoneDialog } from './milestone-dialog.js'
import { MilestoneFacts, type MilestoneRecord } from './milestone-facts.js'
import styles from './milestone-page.module.css'
import { MilestoneProgress } from './milestone-progress.js'
import { milestonesAddress, ownerApi, type PlanOwner } from './plan-owner.js'
import { usePlanRights } from './plan-rights.js'
import { usePromotion } from './use-promotion.js'

/** A milestone: its dates, how much is done, and its issues. */
export function MilestonePage({ owner, iid }: { owner: PlanOwner; iid: string }) {
  const isNumber = /^\d{1,9}$/.test(iid)
  // Addresses have the number in the project or group, the API asks for another one.
  const found = useRead<MilestoneRecord[]>(
    isNumber ? `${ownerApi(owner)}/milestones?iids[]=${iid}` : undefined,
  )
  const [milestone] = found.data ?? []
  useTitle(`${milestone?.title ?? 'Milestone'} · ${owner.path}`)
  if (!isNumber || found.data?.length === 0) return <NotFound isPage />
  return (
    <Read of={found} title="Milestone">
      {([record]) => record && <Shown owner={owner} milestone={record} />}
    </Read>
  )
}

function Shown({ owner, milestone }: { owner: PlanOwner; milestone: MilestoneRecord }) {
  const { mayManage, reason } = usePlanRights(owner, 'milestones')
  const group = usePromotion(owner, 'milestones')
  const path = `${ownerApi(owner)}/milestones`
  const [open, setOpen] = useState<'edit' | 'delete' | 'promote'>()
  const reload = () => void refresh(path)
  const isOpen = milestone.state === 'active'
  const stating = useAction(async () => {
    const body = { state_event: isOpen ? 'close' : 'activate' }
    await requestJson(`${path}/${milestone.id}`, { method: 'PUT', body })
    reload()
  }, notifyError)
  const deleting = useAction(async () => {
    await request(`${path}/${milestone.id}`, { method: 'DELETE' })
    navigate(milestonesAddress(owner))
  }, notifyError)
  const promoting = useAction(async () => {
    const promoted = await requestJson<MilestoneRecord>(`${path}/${milestone.id}/promote`, { method: 'POST' })
    navigate(promoted.web_url)
  }, notifyError)
  return (
    <>
      <PageHeader
        title={milestone.title}
        details={<MilestoneFacts milestone={milestone} />}
        actions={
          mayManage && (
            <>
              <Button
                icon={isOpen ? CircleCheck : CircleDot}
                isBusy={stating.isBusy}
                reason={reason}
                onClick={() => void stating.run()}
              >
                {isOpen ? 'Close milestone' : 'Reopen milestone'}
              </Button>
              <Button icon={Pencil} reason={reason} onClick={() => setOpen('edit')}>
                Edit
              </Button>
              <Menu name="More about the milestone">
                {group !== undefined && (
                  <MenuItem reason={reason} onSelect={() => setOpen('promote')}>
                    Promote to the group…
                  </MenuItem>
                )}
                <MenuItem isDangerous reason={reason} onSelect={() => setOpen('delete')}>
                  Delete…
                </MenuItem>
              </Menu>
            </>
          )
        }
      />
      <Box class={styles['about']} label="About">
        {milestone.description && (
          <Markdown
            project={owner.kind === 'project' ? owner.path : undefined}
            text={milestone.description}
            below={1}
          />
        )}
        <MilestoneProgress owner={owner} title={milestone.title} />
      </Box>
      <BurndownPanel path={`${path}/${milestone.id}`} milestone={milestone} />
      <IssueList
        base={ownerApi(owner)}
        fixed={[['milestone', milestone.title]]}
        showsProject={owner.kind === 'group'}
        empty={<Empty icon={Milestone} title="The milestone has no issue yet." />}
      />
      {open === 'edit' && (
        <MilestoneDialog
          path={path}
          milestone={milestone}
          onClose={() => setOpen(undefined)}
          onSaved={reload}
        />
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={`Delete the milestone ${milestone.title}?`}
          action="Delete"
          isBusy={deleting.isBusy}
          onConfirm={() => void deleting.run()}
          onClose={() => setOpen(undefined)}
        >
          <p>Its issues and merge requests stay, without a milestone. This cannot be undone.</p>
        </ConfirmDialog>
      )}
      {open === 'promote' && (
        <ConfirmDialog
          title={`Promote the milestone ${milestone.title}?`}
          action="Promote"
          isBusy={promoting.isBusy}
          onConfirm={() => void promoting.run()}
          onClose={() => setOpen(undefined)}
        >
          <p>
            It becomes a milestone of the group {group}. Milestones of its projects with this title are merged
            into it. This cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
