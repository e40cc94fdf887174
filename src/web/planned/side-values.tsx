import { Milestone as MilestoneIcon } from 'lucide'
import type { ComponentChildren } from 'preact'

import { projectApi } from '../../addresses/first-reads.js'
import { useRead } from '../api/use-read.js'
import { ChoiceBox } from '../discussion/choice-box.js'
import {
  findLabels,
  findMilestones,
  findPeople,
  labelChoice,
  milestoneChoice,
  personChoice,
} from '../discussion/choosables.js'
import { LabelChip, type ShownLabel } from '../discussion/label-chip.js'
import { SidePart, Unset } from '../discussion/side-part.js'
import { Icon } from '../kit/icon.js'
import { UserLink } from '../records/user-link.js'
import styles from './side-values.module.css'

/** What the parts beside an issue or merge request have in common. */
interface SideProps {
  project: string
  /** The user may change the values. */
  manages: boolean
  /** Why nothing can be changed now. */
  reason: string | undefined
  /** Changes fields of the record. */
  save: (fields: object) => Promise<void>
}

interface Person {
  id: number
  username: string
  name: string
  avatar_url?: string | null
}

interface PeoplePartProps extends SideProps {
  title: 'Assignees' | 'Reviewers'
  people: readonly Person[]
  /** The field with their IDs. */
  field: 'assignee_ids' | 'reviewer_ids'
  /** Beside each of them. */
  detail?: (person: Person) => ComponentChildren
}

/** Assignees or reviewers. */
export function PeoplePart({
  project,
  title,
  people,
  field,
  detail,
  manages,
  reason,
  save,
}: PeoplePartProps) {
  return (
    <SidePart
      title={title}
      edit={
        manages && (
          <ChoiceBox
            of={title.toLowerCase()}
            chosen={people.map(personChoice)}
            find={findPeople(projectApi(project))}
            reason={reason}
            onApply={(chosen) => save({ [field]: chosen.map(({ key }) => Number(key)) })}
          />
        )
      }
    >
      {people.length === 0 ? (
        <Unset />
      ) : (
        people.map((user) => (
          <span key={user.id} class={styles['person']}>
            <UserLink user={user} size={22} />
            {detail?.(user)}
          </span>
        ))
      )}
    </SidePart>
  )
}

interface LabelsPartProps extends SideProps {
  names: readonly string[]
  /** The list of the records with a label. */
  hrefOf: (name: string) => string
}

export function LabelsPart({ project, names, hrefOf, manages, reason, save }: LabelsPartProps) {
  const base = projectApi(project)
  const known = useRead<ShownLabel[]>(names.length > 0 ? `${base}/labels?per_page=100` : undefined, {
    staleTime: 60_000,
  }).data
  const labels = names.map((name) => known?.find((label) => label.name === name) ?? { name })
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
        labels.map((label) => <LabelChip key={label.name} label={label} href={hrefOf(label.name)} />)
      )}
    </SidePart>
  )
}

interface MilestonePartProps extends SideProps {
  milestone: { id: number; title: string; web_url: string } | null
}

export function MilestonePart({ project, milestone, manages, reason, save }: MilestonePartProps) {
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

/**
 * Who has written, is assigned or was mentioned.
 * @param path of the record in the API
 */
export function ParticipantsPart({ path }: { path: string }) {
  const { data = [] } = useRead<Person[]>(`${path}/participants?per_page=30`, { staleTime: 60_000 })
  if (data.length === 0) return null
  return (
    <SidePart title={data.length === 1 ? '1 participant' : `${data.length} participants`}>
      {data.map((user) => (
        <UserLink key={user.id} user={user} size={24} hidesName />
      ))}
    </SidePart>
  )
}
