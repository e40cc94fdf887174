import { CircleCheck, CircleDot } from 'lucide'

import { projectApi } from '../../../../addresses/first-reads.js'
import type { ListedIssue } from '../../../../coordinator/planning/issues/record-schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { ChoiceBox } from '../../../discussion/choice-box.js'
import { findLabels, findMilestones, findPeople } from '../../../discussion/choosables.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Button } from '../../../kit/button.js'
import styles from './chosen-bar.module.css'

interface ChosenBarProps {
  project: string
  chosen: readonly ListedIssue[]
  reason: string | undefined
  onClear: () => void
  onChanged: () => void
}

/** The changes of the issues that are selected in a list. */
export function ChosenBar({ project, chosen, reason, onClear, onChanged }: ChosenBarProps) {
  const base = projectApi(project)
  const change = async (issues: readonly ListedIssue[], body: object) => {
    try {
      for (const { iid } of issues) await requestJson(`${base}/issues/${iid}`, { method: 'PUT', body })
      notify(`${issues.length === 1 ? '1 issue was' : `${issues.length} issues were`} changed`)
      onClear()
    } finally {
      // After a refused request, the issues before it have changed already.
      onChanged()
    }
  }
  const stating = useAction(
    (event: 'close' | 'reopen', issues: readonly ListedIssue[]) => change(issues, { state_event: event }),
    notifyError,
  )
  const open = chosen.filter(({ state }) => state === 'opened')
  const closed = chosen.filter(({ state }) => state === 'closed')
  return (
    <div class={styles['bar']} role="group" aria-label="Selected issues">
      <strong>{chosen.length} selected</strong>
      <ChoiceBox
        of="labels"
        button="Add labels"
        chosen={[]}
        find={findLabels(base)}
        reason={reason}
        onApply={(labels) => change(chosen, { add_labels: labels.map(({ key }) => key) })}
      />
      <ChoiceBox
        of="milestone"
        button="Milestone"
        isSingle
        chosen={[]}
        find={findMilestones(base)}
        reason={reason}
        onApply={([milestone]) => change(chosen, { milestone_id: Number(milestone?.key ?? 0) })}
      />
      <ChoiceBox
        of="assignees"
        button="Assign"
        chosen={[]}
        find={findPeople(base)}
        reason={reason}
        onApply={(people) => change(chosen, { assignee_ids: people.map(({ key }) => Number(key)) })}
      />
      {open.length > 0 && (
        <Button
          size="small"
          icon={CircleCheck}
          isBusy={stating.isBusy}
          reason={reason}
          onClick={() => void stating.run('close', open)}
        >
          Close {open.length}
        </Button>
      )}
      {closed.length > 0 && (
        <Button
          size="small"
          icon={CircleDot}
          isBusy={stating.isBusy}
          reason={reason}
          onClick={() => void stating.run('reopen', closed)}
        >
          Reopen {closed.length}
        </Button>
      )}
      <Button size="small" kind="ghost" onClick={onClear}>
        Clear selection
      </Button>
    </div>
  )
}
