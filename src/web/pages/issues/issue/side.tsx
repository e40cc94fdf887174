import { Milestone as MilestoneIcon } from 'lucide'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import { requestJson } from '../../../api/client.js'
import { useRead } from '../../../api/use-read.js'
import { ChoiceBox } from '../../../discussion/choice-box.js'
import {
  findLabels,
  findMilestones,
  findPeople,
  labelChoice,
  milestoneChoice,
  personChoice,
} from '../../../discussion/choosables.js'
import { DueDate } from '../../../discussion/due-date.js'
import { LabelChip, type ShownLabel } from '../../../discussion/label-chip.js'
import { SidePart, Unset } from '../../../discussion/side-part.js'
import { ValueForm } from '../../../discussion/value-form.js'
import { CopyButton } from '../../../kit/copy-button.js'
import { Icon } from '../../../kit/icon.js'
import { UserLink } from '../../../records/user-link.js'
import type { IssueProps } from './issue-props.js'
import styles from './side.module.css'
import { TimeTracking } from './time-tracking.js'

/** What is planned for the issue. */
export function IssueSide(props: IssueProps) {
  const { issue, path, manages, reason, onChanged } = props
  const save = async (body: object) => {
    await requestJson(path, { method: 'PUT', body })
    onChanged()
  }
  const isOpen = issue.state === 'opened'
  return (
    <>
      <Assignees {...props} save={save} />
      <Labels {...props} save={save} />
      <MilestonePart {...props} save={save} />
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
      <Participants path={path} />
      <SidePart title="Reference">
        <code>{issue.references.full}</code>
        <CopyButton text={issue.references.full} label="Copy the reference" />
      </SidePart>
    </>
  )
}

type Saving = IssueProps & { save: (body: object) => Promise<void> }

function Assignees({ project, issue, manages, reason, save }: Saving) {
  return (
    <SidePart
      title="Assignees"
      edit={
        manages && (
          <ChoiceBox
            of="assignees"
            chosen={issue.assignees.map(personChoice)}
            find={findPeople(projectApi(project))}
            reason={reason}
            onApply={(people) => save({ assignee_ids: people.map(({ key }) => Number(key)) })}
          />
        )
      }
    >
      {issue.assignees.length === 0 ? (
        <Unset />
      ) : (
        issue.assignees.map((user) => (
          <span key={user.id} class={styles['person']}>
            <UserLink user={user} size={22} />
          </span>
        ))
      )}
    </SidePart>
  )
}

function Labels({ project, issue, manages, reason, save }: Saving) {
  const base = projectApi(project)
  const known = useRead<ShownLabel[]>(issue.labels.length > 0 ? `${base}/labels?per_page=100` : undefined, {
    staleTime: 60_000,
  }).data
  const labels = issue.labels.map((name) => known?.find((label) => label.name === name) ?? { name })
  return (
    <SidePart
      title="Labels"
      edit={
        manages && (
          <ChoiceBox
            of="labels"
            chosen={labels.map(labelChoice)}
            find={findLabels(base)}
            reason={reason}
            onApply={(chosen) => save({ labels: chosen.map(({ key }) => key) })}
          />
        )
      }
    >
      {labels.length === 0 ? (
        <Unset />
      ) : (
        labels.map((label) => (
          <LabelChip
            key={label.name}
            label={label}
            href={addressOf('issues/list', { project }, { 'label_name[]': label.name })}
          />
        ))
      )}
    </SidePart>
  )
}

function MilestonePart({ project, issue, manages, reason, save }: Saving) {
  const { milestone } = issue
  return (
    <SidePart
      title="Milestone"
      edit={
        manages && (
          <ChoiceBox
            of="milestone"
            isSingle
            chosen={milestone ? [milestoneChoice(milestone)] : []}
            find={findMilestones(projectApi(project))}
            reason={reason}
            onApply={([chosen]) => save({ milestone_id: chosen ? Number(chosen.key) : null })}
          />
        )
      }
    >
      {milestone ? (
        <a class={styles['milestone']} href={milestone.web_url}>
          <Icon icon={MilestoneIcon} size={14} />
          {milestone.title}
        </a>
      ) : (
        <Unset />
      )}
    </SidePart>
  )
}

interface Participant {
  id: number
  username: string
  name: string
  avatar_url: string | null
}

function Participants({ path }: { path: string }) {
  const { data = [] } = useRead<Participant[]>(`${path}/participants?per_page=30`, { staleTime: 60_000 })
  if (data.length === 0) return null
  return (
    <SidePart title={data.length === 1 ? '1 participant' : `${data.length} participants`}>
      {data.map((user) => (
        <UserLink key={user.id} user={user} size={24} hidesName />
      ))}
    </SidePart>
  )
}
