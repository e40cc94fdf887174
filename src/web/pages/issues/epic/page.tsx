import { CircleCheck, CircleDot, Pencil } from 'lucide'
import { useEffect, useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import type { Epic } from '../../../../coordinator/planning/epics/epic-schema.js'
import { request, requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { Markdown } from '../../../discussion/markdown.js'
import { Threads } from '../../../discussion/threads.js'
import { useDraft } from '../../../discussion/use-draft.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate } from '../../../frame/location.js'
import { notifyError } from '../../../frame/notices.js'
import { NotFound, Read } from '../../../frame/problem.js'
import { useGroupAbilities } from '../../../frame/use-abilities.js'
import { Badge } from '../../../kit/badge.js'
import { Button } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { Icon } from '../../../kit/icon.js'
import { Menu, MenuItem } from '../../../kit/menu.js'
import { Box, PageHeader, Panels } from '../../../kit/panel.js'
import { Time } from '../../../kit/time.js'
import { DeletedAlert } from '../../../planned/deleted-alert.js'
import { UserLink } from '../../../records/user-link.js'
import { EpicDatesLine } from '../epic-facts.js'
import { datesBody, EpicFields } from '../epic-fields.js'
import { allOfEpics, epicPath } from '../epic-path.js'
import { ChildEpics } from './child-epics.js'
import { EpicIssues } from './epic-issues.js'
import styles from './page.module.css'
import { RelatedEpics } from './related-epics.js'

/** An epic of a group: its text and dates, its issues, and the epics around it. */
export function Page({ params: { group, iid } }: { params: Record<'group' | 'iid', string> }) {
  const isNumber = /^\d{1,9}$/.test(iid)
  const path = epicPath(group, iid)
  const epic = useRead<Epic>(isNumber ? path : undefined)
  useTitle(`${epic.data ? `${epic.data.title} (&${iid})` : `&${iid}`} · ${group}`)
  useEffect(() => window.scrollTo(0, 0), [path])
  if (!isNumber) return <NotFound isPage />
  return (
    <Read of={epic} title={`Epic &${iid}`}>
      {(record) => (
        <>
          <DeletedAlert kind="epic" id={record.id} error={epic.error} />
          <Shown key={record.id} group={group} path={path} epic={record} />
        </>
      )}
    </Read>
  )
}

interface ShownProps {
  group: string
  path: string
  epic: Epic
}

function Shown({ group, path, epic }: ShownProps) {
  const { may } = useGroupAbilities(group)
  const manages = may('manage_epics')
  const part = { group, path, manages }
  return (
    <>
      <Header group={group} path={path} epic={epic} />
      <Panels>
        <Box label="Description" class={styles['about']}>
          {epic.description ? (
            <Markdown project={undefined} text={epic.description} below={1} />
          ) : (
            <p class={styles['none']}>No description.</p>
          )}
        </Box>
        <EpicIssues {...part} />
        <ChildEpics {...part} />
        <RelatedEpics {...part} />
      </Panels>
      <Threads
        of={{
          kind: 'epics',
          group,
          iid: epic.id,
          id: epic.id,
          authorId: epic.author?.id ?? null,
          isLocked: false,
        }}
        onChanged={() => void refresh(path)}
      />
    </>
  )
}

function Header({ group, path, epic }: ShownProps) {
  const { may } = useGroupAbilities(group)
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const isOpen = epic.state === 'opened'
  const stating = useAction(async () => {
    await requestJson(path, { method: 'PUT', body: { state_event: isOpen ? 'close' : 'reopen' } })
    await refresh(allOfEpics(group))
  }, notifyError)
  const deleting = useAction(async () => {
    await request(path, { method: 'DELETE' })
    navigate(addressOf('issues/epics', { group }))
  }, notifyError)
  return (
    <>
      <PageHeader
        title={
          <span>
            {epic.title} <span class={styles['number']}>{epic.references.short}</span>
          </span>
        }
        details={
          <>
            <Badge tone={isOpen ? 'success' : 'accent'}>
              <Icon icon={isOpen ? CircleDot : CircleCheck} size={13} />
              {isOpen ? 'Open' : 'Closed'}
            </Badge>
            <span class={styles['fact']}>
              <UserLink user={epic.author} /> opened it <Time value={epic.created_at} />
            </span>
            {epic.closed_at !== null && (
              <span>
                closed <Time value={epic.closed_at} />
              </span>
            )}
            <EpicDatesLine epic={epic} />
            <Parent epic={epic} />
          </>
        }
        actions={
          may('manage_epics') && (
            <>
              <Button
                icon={isOpen ? CircleCheck : CircleDot}
                isBusy={stating.isBusy}
                onClick={() => void stating.run()}
              >
                {isOpen ? 'Close epic' : 'Reopen epic'}
              </Button>
              <Button icon={Pencil} onClick={() => setOpen('edit')}>
                Edit
              </Button>
              {may('delete_epics') && (
                <Menu name="More about the epic">
                  <MenuItem isDangerous onSelect={() => setOpen('delete')}>
                    Delete…
                  </MenuItem>
                </Menu>
              )}
            </>
          )
        }
      />
      {open === 'edit' && (
        <EditDialog group={group} path={path} epic={epic} onClose={() => setOpen(undefined)} />
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={`Delete the epic ${epic.references.short}?`}
          action="Delete epic"
          isBusy={deleting.isBusy}
          onConfirm={() => void deleting.run()}
          onClose={() => setOpen(undefined)}
        >
          <p>Its issues and child epics stay. Its comments are deleted. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** The epic of which this one is a child; its record alone has the group. */
function Parent({ epic }: { epic: Epic }) {
  const { parent } = epic._links
  const found = useRead<Epic>(
    parent === null ? undefined : new URL(parent).pathname.replace(/^.*?\/api\/v4/, ''),
  )
  if (!found.data) return null
  return (
    <span>
      child of <a href={found.data.web_url}>{found.data.title}</a>
    </span>
  )
}

function EditDialog({ group, path, epic, onClose }: ShownProps & { onClose: () => void }) {
  const title = useDraft('title', epic.title)
  const description = useDraft('description', epic.description ?? '')
  const [dates, setDates] = useState({ start_date: epic.start_date ?? '', due_date: epic.due_date ?? '' })
  const close = () => {
    title.discard()
    description.discard()
    onClose()
  }
  const saving = useAction(async () => {
    const body = { title: title.text, description: description.text, ...datesBody(dates) }
    await requestJson(path, { method: 'PUT', body })
    await refresh(allOfEpics(group))
    close()
  })
  return (
    <FormDialog
      title={`Edit ${epic.references.short}`}
      action="Save changes"
      isBusy={saving.isBusy}
      error={saving.error}
      isIncomplete={title.text.trim() === ''}
      onSubmit={() => void saving.run()}
      onClose={close}
    >
      <EpicFields title={title} description={description} dates={dates} onDates={setDates} />
    </FormDialog>
  )
}
