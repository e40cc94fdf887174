import { useState } from 'preact/hooks'

import { projectApi } from '../../../../addresses/first-reads.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import type { Comparison } from '../../../../coordinator/hosting/repository-contents/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { useRead } from '../../../api/use-read.js'
import type { Choosable } from '../../../discussion/choice-box.js'
import { findLabels, findMilestones, findPeople } from '../../../discussion/choosables.js'
import { TextEditor } from '../../../discussion/text-editor.js'
import { useDraft } from '../../../discussion/use-draft.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { CheckBox, Input } from '../../../kit/field.js'
import { Skeleton } from '../../../kit/skeleton.js'
import { ChosenPart } from '../../../planned/chosen-part.js'
import { NewRecord } from '../../../planned/new-record.js'
import styles from '../../../planned/new-record.module.css'
import { TemplateField } from '../../../planned/template-field.js'
import { comparisonPath } from './branch-changes.js'
import type { Branches } from './branch-choice.js'
import { proposedText } from './proposed-text.js'

interface RequestFormProps {
  project: string
  record: FullProject
  branches: Branches
  target: { id: number; path: string }
  /** Why nothing can be created now. */
  reason: string | undefined
  onCreated: (url: string) => void
  cancelHref: string
}

interface Planned {
  reviewers: readonly Choosable[]
  assignees: readonly Choosable[]
  labels: readonly Choosable[]
  milestone: readonly Choosable[]
}

const NOTHING: Planned = { reviewers: [], assignees: [], labels: [], milestone: [] }

/** The text and the options of a new merge request. Its commits propose the text; those of a fork are not compared. */
export function RequestForm(props: RequestFormProps) {
  const { project, record, branches, target } = props
  const isCompared = target.id === record.id
  const { data, error } = useRead<Comparison>(isCompared ? comparisonPath(project, branches) : undefined)
  if (isCompared && !data && !error) return <Skeleton rows={6} />
  return <FilledForm {...props} proposed={proposedText(branches.source, data?.commits ?? [])} />
}

interface FilledFormProps extends RequestFormProps {
  proposed: ReturnType<typeof proposedText>
}

function FilledForm(props: FilledFormProps) {
  const { project, record, branches, target, reason, onCreated, cancelHref, proposed } = props
  const key = `${branches.source} ${target.id} ${branches.target}`
  const title = useDraft(`title ${key}`, proposed.title)
  const description = useDraft(`description ${key}`, proposed.description)
  const [removes, setRemoves] = useState(record.remove_source_branch_after_merge)
  const [squash, setSquash] = useState(record.squash_option === 'default_on')
  const [planned, setPlanned] = useState(NOTHING)
  const set = (changes: Partial<Planned>) => setPlanned({ ...planned, ...changes })
  const creating = useAction(async () => {
    const ids = (chosen: readonly Choosable[]) => chosen.map(({ key: id }) => Number(id))
    const created = await requestJson<{ web_url: string }>(`${projectApi(project)}/merge_requests`, {
      method: 'POST',
      body: {
        source_branch: branches.source,
        target_branch: branches.target,
        target_project_id: target.id,
        title: title.text,
        description: description.text,
        remove_source_branch: removes,
        squash,
        reviewer_ids: ids(planned.reviewers),
        assignee_ids: ids(planned.assignees),
        labels: planned.labels.map(({ key: name }) => name),
        ...(planned.milestone[0] && { milestone_id: Number(planned.milestone[0].key) }),
      },
    })
    title.discard()
    description.discard()
    onCreated(created.web_url)
  })
  const base = projectApi(target.path)
  return (
    <NewRecord
      action={creating}
      side={
        <>
          <ChosenPart
            title="Reviewers"
            chosen={planned.reviewers}
            find={findPeople(base)}
            onChange={(reviewers) => set({ reviewers })}
          />
          <ChosenPart
            title="Assignees"
            chosen={planned.assignees}
            find={findPeople(base)}
            onChange={(assignees) => set({ assignees })}
          />
          <ChosenPart
            title="Labels"
            chosen={planned.labels}
            find={findLabels(base)}
            onChange={(labels) => set({ labels })}
          />
          <ChosenPart
            title="Milestone"
            isSingle
            chosen={planned.milestone}
            find={findMilestones(base)}
            onChange={(milestone) => set({ milestone })}
          />
        </>
      }
    >
      <Input
        label="Title"
        help="“Draft:” in front marks a draft."
        value={title.text}
        onInput={title.setText}
        required
        autoComplete="off"
      />
      <TemplateField
        project={target.path}
        kind="merge_requests"
        wanted=""
        text={description.text}
        onText={description.setText}
      />
      <TextEditor
        project={project}
        kind="merge_requests"
        label="Description"
        value={description.text}
        onInput={description.setText}
        onSend={() => void creating.run()}
        rows={8}
        placeholder="What it changes and why. “Closes #12” closes an issue with the merge."
      />
      <CheckBox label="Delete the source branch after the merge" checked={removes} onInput={setRemoves} />
      {(record.squash_option === 'default_on' || record.squash_option === 'default_off') && (
        <CheckBox label="Squash commits into one" checked={squash} onInput={setSquash} />
      )}
      <div class={styles['buttons']}>
        <Button
          kind="primary"
          type="submit"
          isBusy={creating.isBusy}
          reason={reason}
          disabled={title.text.trim() === ''}
        >
          Create merge request
        </Button>
        <LinkButton href={cancelHref}>Cancel</LinkButton>
      </div>
    </NewRecord>
  )
}
