import { addressOf } from '../../../../addresses/address-of.js'
import { requestJson } from '../../../api/client.js'
import { DueDate } from '../../../discussion/due-date.js'
import { SidePart, Unset } from '../../../discussion/side-part.js'
import { ValueForm } from '../../../discussion/value-form.js'
import { CopyButton } from '../../../kit/copy-button.js'
import { LabelsPart, MilestonePart, ParticipantsPart, PeoplePart } from '../../../planned/side-values.js'
import { EpicPart } from './epic-part.js'
import type { IssueProps } from './issue-props.js'
import { TimeTracking } from './time-tracking.js'

/** What is planned for the issue. */
export function IssueSide(props: IssueProps) {
  const { project, issue, path, manages, reason, onChanged } = props
  const save = async (body: object) => {
    await requestJson(path, { method: 'PUT', body })
    onChanged()
  }
  const side = { project, manages, reason, save }
  const isOpen = issue.state === 'opened'
  return (
    <>
      <PeoplePart {...side} title="Assignees" people={issue.assignees} field="assignee_ids" />
      <LabelsPart
        {...side}
        names={issue.labels}
        hrefOf={(name) => addressOf('issues/list', { project }, { 'label_name[]': name })}
      />
      <MilestonePart {...side} milestone={issue.milestone} />
      <EpicPart {...side} issue={issue} />
      <SidePart
        title="Due date"
        edit={
          manages && (
            <ValueForm
              label="Due date"
              type="date"
              value={issue.due_date ?? ''}
              reason={reason}
              onSave={(value) => save({ due_date: value || null })}
            />
          )
        }
      >
        {issue.due_date === null ? <Unset /> : <DueDate day={issue.due_date} isOpen={isOpen} />}
      </SidePart>
      <SidePart
        title="Weight"
        edit={
          manages && (
            <ValueForm
              label="Weight"
              type="number"
              min={0}
              value={issue.weight === null ? '' : String(issue.weight)}
              reason={reason}
              onSave={(value) => save({ weight: value === '' ? null : Number(value) })}
            />
          )
        }
      >
        {issue.weight === null ? <Unset /> : issue.weight}
      </SidePart>
      <TimeTracking {...props} />
      <ParticipantsPart path={path} />
      <SidePart title="Reference">
        <code>{issue.references.full}</code>
        <CopyButton text={issue.references.full} label="Copy the reference" />
      </SidePart>
    </>
  )
}
