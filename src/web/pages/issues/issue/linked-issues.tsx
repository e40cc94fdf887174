import { CircleCheck, CircleDot, Plus, X } from 'lucide'
import { useState } from 'preact/hooks'

import type { LinkedIssue } from '../../../../coordinator/planning/issues/record-schema.js'
import { request, requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { useRead } from '../../../api/use-read.js'
import { notifyError } from '../../../frame/notices.js'
import { Problem } from '../../../frame/problem.js'
import { Button, IconButton } from '../../../kit/button.js'
import { Input, Select } from '../../../kit/field.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { Icon } from '../../../kit/icon.js'
import { Panel } from '../../../kit/panel.js'
import { parseIssueReference } from '../issue-reference.js'
import { LINK_TYPES } from '../link-types.js'
import type { IssueProps } from './issue-props.js'
import styles from './linked-issues.module.css'

interface LinkedIssuesProps extends IssueProps {
  /** Opens the dialog for another link. */
  onLink: () => void
}

/** The issues to which this one is linked. */
export function LinkedIssues({ path, manages, reason, onChanged, onLink }: LinkedIssuesProps) {
  const links = useRead<LinkedIssue[]>(`${path}/links`)
  const removing = useAction(async (id: number) => {
    await request(`${path}/links/${id}`, { method: 'DELETE' })
    onChanged()
  }, notifyError)
  if (links.error && !links.data) return <Problem error={links.error} retry={() => void links.refetch()} />
  const { data = [] } = links
  if (data.length === 0) return null
  const add = manages && (
    <Button size="small" icon={Plus} reason={reason} onClick={onLink}>
      Link an issue
    </Button>
  )
  return (
    <Panel isFlush title="Linked issues" actions={add || undefined}>
      {LINK_TYPES.map(({ value, heading }) => {
        const rows = data.filter(({ link_type }) => link_type === value)
        return (
          rows.length > 0 && (
            <section key={value} class={styles['group']}>
              <h3>{heading}</h3>
              <ul class={styles['list']}>
                {rows.map((issue) => (
                  <li key={issue.issue_link_id}>
                    <span class={issue.state === 'opened' ? styles['open'] : styles['closed']}>
                      <Icon
                        icon={issue.state === 'opened' ? CircleDot : CircleCheck}
                        label={issue.state === 'opened' ? 'Open' : 'Closed'}
                        size={15}
                      />
                    </span>
                    <a href={issue.web_url}>{issue.title}</a>
                    <span class={styles['reference']}>{issue.references.relative}</span>
                    {manages && (
                      <IconButton
                        size="small"
                        icon={X}
                        label={`Remove the link to ${issue.references.relative}`}
                        reason={reason}
                        isBusy={removing.isBusy}
                        onClick={() => void removing.run(issue.issue_link_id)}
                      />
                    )}
                  </li>
                ))}
              </ul>
            </section>
          )
        )
      })}
    </Panel>
  )
}

interface LinkDialogProps {
  project: string
  path: string
  onClose: () => void
  onLinked: () => void
}

/** Asks which issue is linked, and how. */
export function LinkDialog({ project, path, onClose, onLinked }: LinkDialogProps) {
  const [type, setType] = useState<string>('relates_to')
  const [text, setText] = useState('')
  const target = parseIssueReference(text, project)
  const linking = useAction(async () => {
    await requestJson(`${path}/links`, {
      method: 'POST',
      body: { target_project_id: target?.project, target_issue_iid: target?.iid, link_type: type },
    })
    onLinked()
    onClose()
  })
  return (
    <FormDialog
      title="Link an issue"
      action="Link"
      isBusy={linking.isBusy}
      error={linking.error}
      isIncomplete={!target}
      onSubmit={() => void linking.run()}
      onClose={onClose}
    >
      <Select
        label="This issue"
        value={type}
        onInput={setType}
        choices={LINK_TYPES.map(({ value, label }) => ({ value, label }))}
      />
      <Input
        label="Issue"
        help="A number such as #12, a reference such as group/app#12, or the address of an issue."
        value={text}
        onInput={setText}
        autoComplete="off"
      />
    </FormDialog>
  )
}
