import { Bell, BellOff, CircleCheck, CircleDot, EyeOff, Link, Lock, Plus } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { boot } from '../../../api/boot.js'
import { request, requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { navigate } from '../../../frame/location.js'
import { notifyError } from '../../../frame/notices.js'
import { Alert } from '../../../kit/alert.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { classNames } from '../../../kit/class-names.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Icon } from '../../../kit/icon.js'
import { Menu, MenuItem, MenuLine } from '../../../kit/menu.js'
import { PageHeader } from '../../../kit/panel.js'
import { Time } from '../../../kit/time.js'
import { UserLink } from '../../../records/user-link.js'
import { MarkedText } from '../../../text/marked-text.js'
import styles from './issue-header.module.css'
import type { IssueProps } from './issue-props.js'
import { MoveDialog } from './move-dialog.js'
import { StateButton } from './state-button.js'

/** Title and state of the issue, and what is done with it as a whole. */
export function IssueHeader(props: IssueProps & { onLink: () => void }) {
  const { project, issue } = props
  return (
    <>
      <PageHeader
        title={
          <span>
            <MarkedText text={issue.title} /> <span class={styles['number']}>#{issue.iid}</span>
          </span>
        }
        details={
          <>
            <State {...props} />
            {issue.confidential && (
              <span class={classNames(styles['state'], styles['secret'])}>
                <Icon icon={EyeOff} size={14} />
                Confidential
              </span>
            )}
            <span class={styles['fact']}>
              <UserLink user={issue.author} /> opened it <Time value={issue.created_at} />
            </span>
            {issue.closed_at !== null && (
              <span class={styles['fact']}>
                {issue.closed_by ? <UserLink user={issue.closed_by} /> : 'a deleted account'} closed it{' '}
                <Time value={issue.closed_at} />
              </span>
            )}
            {issue.discussion_locked && (
              <span class={styles['fact']}>
                <Icon icon={Lock} size={14} /> Discussion locked
              </span>
            )}
          </>
        }
        actions={
          <>
            <StateButton {...props} />
            <Subscription {...props} />
            {boot.user && (
              <LinkButton icon={Plus} reason={props.reason} href={addressOf('issues/new', { project })}>
                New issue
              </LinkButton>
            )}
            {(props.manages || props.mayEdit || props.mayDelete) && <MoreActions {...props} />}
          </>
        }
      />
      {issue.confidential && (
        <div class={styles['confidential']}>
          <Alert tone="warning" title="This issue is confidential.">
            Only its author, its assignees and members from the Reporter role on see it.
          </Alert>
        </div>
      )}
      {issue.moved_to_id !== null && (
        <div class={styles['confidential']}>
          <Alert>This issue was moved. The discussion goes on where it is now; see the last entry.</Alert>
        </div>
      )}
    </>
  )
}

function State({ issue }: IssueProps) {
  const isOpen = issue.state === 'opened'
  return (
    <span class={classNames(styles['state'], isOpen ? styles['open'] : styles['closed'])}>
      <Icon icon={isOpen ? CircleDot : CircleCheck} size={14} />
      {isOpen ? 'Open' : 'Closed'}
    </span>
  )
}

function Subscription({ issue, path, onChanged }: IssueProps) {
  const changing = useAction(async () => {
    await request(`${path}/${issue.subscribed ? 'unsubscribe' : 'subscribe'}`, { method: 'POST' })
    onChanged()
  }, notifyError)
  if (!boot.user) return null
  return (
    <Button
      icon={issue.subscribed ? Bell : BellOff}
      isBusy={changing.isBusy}
      aria-pressed={issue.subscribed}
      title={issue.subscribed ? 'You get notifications' : 'You get no notifications'}
      onClick={() => void changing.run()}
    >
      {issue.subscribed ? 'Subscribed' : 'Subscribe'}
    </Button>
  )
}

function MoreActions({
  project,
  issue,
  path,
  manages,
  mayEdit,
  mayDelete,
  reason,
  onChanged,
  onLink,
}: IssueProps & { onLink: () => void }) {
  const [open, setOpen] = useState<'move' | 'delete'>()
  const changing = useAction(async (body: object) => {
    await requestJson(path, { method: 'PUT', body })
    onChanged()
  }, notifyError)
  const deleting = useAction(async () => {
    await request(path, { method: 'DELETE' })
    navigate(addressOf('issues/list', { project }))
  }, notifyError)
  return (
    <>
      <Menu name="More about the issue">
        {mayEdit && (
          <MenuItem
            icon={EyeOff}
            reason={reason}
            onSelect={() => void changing.run({ confidential: !issue.confidential })}
          >
            {issue.confidential ? 'Make visible to everyone' : 'Make confidential'}
          </MenuItem>
        )}
        {manages && (
          <MenuItem
            icon={Lock}
            reason={reason}
            onSelect={() => void changing.run({ discussion_locked: issue.discussion_locked !== true })}
          >
            {issue.discussion_locked ? 'Unlock the discussion' : 'Lock the discussion'}
          </MenuItem>
        )}
        {manages && (
          <MenuItem icon={Link} reason={reason} onSelect={onLink}>
            Link an issue…
          </MenuItem>
        )}
        {manages && (
          <MenuItem reason={reason} onSelect={() => setOpen('move')}>
            Move to another project…
          </MenuItem>
        )}
        {mayDelete && (
          <>
            <MenuLine />
            <MenuItem isDangerous reason={reason} onSelect={() => setOpen('delete')}>
              Delete…
            </MenuItem>
          </>
        )}
      </Menu>
      {open === 'move' && <MoveDialog project={project} path={path} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={`Delete issue #${issue.iid}?`}
          action="Delete"
          isBusy={deleting.isBusy}
          onConfirm={() => void deleting.run()}
          onClose={() => setOpen(undefined)}
        >
          <p>“{issue.title}” is deleted with its comments. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
