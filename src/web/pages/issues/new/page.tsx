import { useEffect, useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { SingleIssue } from '../../../../coordinator/planning/issues/record-schema.js'
import { boot } from '../../../api/boot.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { readOnce, useRead } from '../../../api/use-read.js'
import { ChoiceBox, type Choosable } from '../../../discussion/choice-box.js'
import { findLabels, findMilestones, findPeople, personChoice } from '../../../discussion/choosables.js'
import { SidePart, Unset } from '../../../discussion/side-part.js'
import { TextEditor } from '../../../discussion/text-editor.js'
import { useDraft } from '../../../discussion/use-draft.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate, useSearch } from '../../../frame/location.js'
import { notifyError } from '../../../frame/notices.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { ActionForm } from '../../../kit/action-form.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { CheckBox, Input, Select } from '../../../kit/field.js'
import { Box, PageHeader } from '../../../kit/panel.js'
import styles from './page.module.css'

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
      <ActionForm action={creating} class={styles['columns']}>
        <Box class={styles['main']}>
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
        </Box>
        {manages && (
          <aside class={styles['side']} aria-label="Properties">
            <Plan project={project} planned={planned} onChange={setPlanned} />
          </aside>
        )}
      </ActionForm>
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
  const set = (changes: Partial<Planned>) => {
    onChange({ ...planned, ...changes })
    return Promise.resolve()
  }
  const shown = (choices: readonly Choosable[]) =>
    choices.length === 0 ? (
      <Unset />
    ) : (
      choices.map(({ key, label, shown: content }) => (
        <span key={key} class={styles['chosen']}>
          {content ?? label}
        </span>
      ))
    )
  return (
    <>
      <SidePart
        title="Assignees"
        edit={
          <>
            {boot.user && planned.assignees.length === 0 && (
              <Button
                size="small"
                kind="ghost"
                onClick={() => boot.user && set({ assignees: [personChoice(boot.user)] })}
              >
                Assign to me
              </Button>
            )}
            <ChoiceBox
              of="assignees"
              chosen={planned.assignees}
              find={findPeople(base)}
              onApply={(assignees) => set({ assignees })}
            />
          </>
        }
      >
        {shown(planned.assignees)}
      </SidePart>
      <SidePart
        title="Labels"
        edit={
          <ChoiceBox
            of="labels"
            chosen={planned.labels}
            find={findLabels(base)}
            onApply={(labels) => set({ labels })}
          />
        }
      >
        {shown(planned.labels)}
      </SidePart>
      <SidePart
        title="Milestone"
        edit={
          <ChoiceBox
            of="milestone"
            isSingle
            chosen={planned.milestone}
            find={findMilestones(base)}
            onApply={(milestone) => set({ milestone })}
          />
        }
      >
        {shown(planned.milestone)}
      </SidePart>
      <SidePart title="Due date">
        <Input
          label="Due date"
          hidesLabel
          type="date"
          value={planned.due_date}
          onInput={(due_date) => void set({ due_date })}
        />
      </SidePart>
    </>
  )
}

interface TemplateFieldProps {
  project: string
  /** Name of the template that the address asks for. */
  wanted: string
  text: string
  onText: (text: string) => void
}

/** Fills the description with a template of the repository, `.gitlab/issue_templates/*.md`. */
function TemplateField({ project, wanted, text, onText }: TemplateFieldProps) {
  const path = `${projectApi(project)}/templates/issues`
  const { data = [] } = useRead<{ key: string; name: string }[]>(`${path}?per_page=100`)
  const [chosen, setChosen] = useState('')
  /** The text of the last template, which may be replaced without a question. */
  const [filled, setFilled] = useState('')
  const [asks, setAsks] = useState<string>()
  const filling = useAction(async (key: string) => {
    const { content } = await readOnce<{ content: string }>(`${path}/${encodeURIComponent(key)}`)
    setChosen(key)
    setFilled(content)
    onText(content)
  }, notifyError)
  const choose = (key: string) => {
    if (key === '') setChosen('')
    else if (text.trim() === '' || text === filled) void filling.run(key)
    else setAsks(key)
  }
  useEffect(() => {
    // `Default` is for every issue that asks for no other one.
    const first =
      data.find(({ key }) => key === wanted) ?? data.find(({ key }) => key.toLowerCase() === 'default')
    if (first && text === '') void filling.run(first.key)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only once, when the templates are there
  }, [data.length])
  if (data.length === 0) return null
  return (
    <>
      <Select
        label="Template"
        value={chosen}
        onInput={choose}
        choices={[
          { value: '', label: 'None' },
          ...data.map(({ key, name }) => ({ value: key, label: name })),
        ]}
      />
      {asks !== undefined && (
        <ConfirmDialog
          title="Replace what you have written?"
          action="Replace"
          onConfirm={() => {
            setAsks(undefined)
            void filling.run(asks)
          }}
          onClose={() => setAsks(undefined)}
        >
          <p>The template takes the place of the description.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
