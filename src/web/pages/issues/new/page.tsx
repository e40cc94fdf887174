import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { SingleIssue } from '../../../../coordinator/planning/issues/record-schema.js'
import { boot } from '../../../api/boot.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import type { Choosable } from '../../../discussion/choice-box.js'
import { findLabels, findMilestones, findPeople, personChoice } from '../../../discussion/choosables.js'
import { SidePart } from '../../../discussion/side-part.js'
import { TextEditor } from '../../../discussion/text-editor.js'
import { useDraft } from '../../../discussion/use-draft.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate, useSearch } from '../../../frame/location.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { CheckBox, Input } from '../../../kit/field.js'
import { PageHeader } from '../../../kit/panel.js'
import { ChosenPart } from '../../../planned/chosen-part.js'
import { NewRecord } from '../../../planned/new-record.js'
import styles from '../../../planned/new-record.module.css'
import { TemplateField } from '../../../planned/template-field.js'

/** A form for a new issue. `issue[title]` and other parameters of the address fill it in. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`New issue · ${project}`)
  const abilities = useProjectAbilities(project)
  return (
    <Allowed
      abilities={boot.user ? abilities : { ...abilities, may: () => false }}
      to="create_issues"
      title="New issue"
      otherwise={
        boot.user ? 'The issues of this project are for its members.' : 'Sign in to create an issue.'
      }
    >
      <NewIssue
        project={project}
        manages={abilities.may('manage_issues')}
        readsCode={abilities.may('read_code')}
        reason={abilities.reasonAgainst('create_issues')}
      />
    </Allowed>
  )
}

interface NewIssueProps {
  project: string
  /** The user may plan: assign, label and so on. */
  manages: boolean
  readsCode: boolean
  reason: string | undefined
}

interface Planned {
  assignees: readonly Choosable[]
  labels: readonly Choosable[]
  milestone: readonly Choosable[]
  due_date: string
}

function NewIssue({ project, manages, readsCode, reason }: NewIssueProps) {
  const [search] = useSearch()
  const title = useDraft('title', search.get('issue[title]') ?? '')
  const description = useDraft('description', search.get('issue[description]') ?? '')
  const [isConfidential, setConfidential] = useState(search.get('issue[confidential]') === 'true')
  const [planned, setPlanned] = useState<Planned>({ assignees: [], labels: [], milestone: [], due_date: '' })
  const creating = useAction(async () => {
    const { assignees, labels, milestone, due_date } = planned
    const issue = await requestJson<SingleIssue>(`${projectApi(project)}/issues`, {
      method: 'POST',
      body: {
        title: title.text,
        description: description.text,
        ...(isConfidential && { confidential: true }),
        ...(assignees.length > 0 && { assignee_ids: assignees.map(({ key }) => Number(key)) }),
        ...(labels.length > 0 && { labels: labels.map(({ key }) => key) }),
        ...(milestone[0] && { milestone_id: Number(milestone[0].key) }),
        ...(due_date !== '' && { due_date }),
      },
    })
    title.discard()
    description.discard()
    navigate(issue.web_url)
  })
  const send = () => {
    if (title.text.trim() !== '' && reason === undefined) void creating.run()
  }
  return (
    <>
      <PageHeader title="New issue" />
      <NewRecord
        action={creating}
        side={manages && <Plan project={project} planned={planned} onChange={setPlanned} />}
      >
        <Input
          label="Title"
          value={title.text}
          onInput={title.setText}
          required
          autoFocus
          autoComplete="off"
        />
        {readsCode && (
          <TemplateField
            project={project}
            kind="issues"
            wanted={search.get('issuable_template') ?? ''}
            text={description.text}
            onText={description.setText}
          />
        )}
        <TextEditor
          project={project}
          kind="issues"
          label="Description"
          value={description.text}
          onInput={description.setText}
          onSend={send}
          rows={12}
          placeholder="What happens, what should happen, and how to see it. Pictures can be pasted."
        />
        <CheckBox
          label="Confidential"
          help="Only you, the assignees and members from the Reporter role on see it."
          checked={isConfidential}
          onInput={setConfidential}
        />
        <div class={styles['buttons']}>
          <Button
            kind="primary"
            type="submit"
            isBusy={creating.isBusy}
            reason={reason}
            disabled={title.text.trim() === ''}
          >
            Create issue
          </Button>
          <LinkButton href={addressOf('issues/list', { project })}>Cancel</LinkButton>
        </div>
      </NewRecord>
    </>
  )
}

interface PlanProps {
  project: string
  planned: Planned
  onChange: (planned: Planned) => void
}

function Plan({ project, planned, onChange }: PlanProps) {
  const base = projectApi(project)
  const set = (changes: Partial<Planned>) => onChange({ ...planned, ...changes })
  return (
    <>
      <ChosenPart
        title="Assignees"
        chosen={planned.assignees}
        find={findPeople(base)}
        before={
          boot.user &&
          planned.assignees.length === 0 && (
            <Button
              size="small"
              kind="ghost"
              onClick={() => boot.user && set({ assignees: [personChoice(boot.user)] })}
            >
              Assign to me
            </Button>
          )
        }
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
      <SidePart title="Due date">
        <Input
          label="Due date"
          hidesLabel
          type="date"
          value={planned.due_date}
          onInput={(due_date) => set({ due_date })}
        />
      </SidePart>
    </>
  )
}
