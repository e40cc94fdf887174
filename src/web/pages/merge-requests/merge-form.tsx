import { GitMerge } from 'lucide'
import { useState } from 'preact/hooks'

import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { Alert } from '../../kit/alert.js'
import { Button } from '../../kit/button.js'
import { CheckBox, TextArea } from '../../kit/field.js'
import { UserLink } from '../../records/user-link.js'
import styles from './merge-box.module.css'
import { isActive, type MergeDemands } from './merge-checks.js'
import { mergeRequestPath } from './merge-request-path.js'
import type { ShownMergeRequest } from './shown-merge-request.js'

interface MergeFormProps extends ShownMergeRequest {
  /** The setting of the project; undefined if the reader may not see it. */
  squashOption: string | undefined
  /** Number of checks that somebody must act on. */
  failed: number
  demands: MergeDemands
}

/** Merges now, or when the pipeline succeeds, with the options and messages of this merge. */
export function MergeForm(props: MergeFormProps) {
  const { project, request, reload, squashOption = 'default_off', failed, demands } = props
  const path = mergeRequestPath(project, request.iid)
  const [squash, setSquash] = useState(request.squash_on_merge)
  const [removes, setRemoves] = useState(request.force_remove_source_branch)
  const [message, setMessage] = useState<string>()
  const waits = isActive(request.head_pipeline?.status)
  const inTrain = demands.merge_trains_enabled
  const merging = useAction(async (isLater: boolean) => {
    const body = {
      sha: request.sha,
      squash,
      should_remove_source_branch: removes,
      ...(message !== undefined &&
        message.trim() !== '' && { [squash ? 'squash_commit_message' : 'merge_commit_message']: message }),
      ...(isLater && { auto_merge: true }),
    }
    await requestJson(`${path}/merge`, { method: 'PUT', body })
    reload()
  })
  if (request.merge_when_pipeline_succeeds) return <WaitingMerge {...props} />
  const reason = reasonAgainst(props)
  const mustWait = waits && demands.only_allow_merge_if_pipeline_succeeds
  const choosesSquash = squashOption === 'default_on' || squashOption === 'default_off'
  return (
    <form
      class={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        void merging.run(waits || inTrain)
      }}
    >
      {merging.error && <Alert tone="error" title={merging.error.message} />}
      <div class={styles['options']}>
        {choosesSquash && <CheckBox label="Squash commits into one" checked={squash} onInput={setSquash} />}
        <CheckBox label="Delete the source branch" checked={removes} onInput={setRemoves} />
        <CheckBox
          label="Edit the message"
          checked={message !== undefined}
          onInput={(edits) => setMessage(edits ? request.title : undefined)}
        />
      </div>
      {message !== undefined && (
        <TextArea
          label={squash ? 'Message of the squash commit' : 'Message of the merge commit'}
          value={message}
          onInput={setMessage}
          rows={4}
        />
      )}
      <div class={styles['buttons']}>
        <Button
          type="submit"
          kind="primary"
          icon={GitMerge}
          isBusy={merging.isBusy}
          reason={reason ?? (failed > 0 && !waits ? 'Something is to do before.' : undefined)}
        >
          {inTrain ? 'Add to the merge train' : 'Merge'}
          {waits && ' when the pipeline succeeds'}
        </Button>
        {(waits ? !mustWait : inTrain && failed === 0) && (
          <Button isBusy={merging.isBusy} reason={reason} onClick={() => void merging.run(false)}>
            Merge now
          </Button>
        )}
        <Rebase {...props} />
        {reason !== undefined && <span class={styles['remedy']}>{reason}</span>}
      </div>
    </form>
  )
}

function reasonAgainst({ request }: MergeFormProps): string | undefined {
  if (request.state === 'locked') return 'It is being merged.'
  if (!request.user.can_merge)
    return `You may not merge into ${request.target_branch}. Those whom its protection names may.`
  return undefined
}

function WaitingMerge({
  project,
  request,
  reload,
  demands: { merge_trains_enabled: inTrain },
}: MergeFormProps) {
  const canceling = useAction(async () => {
    await requestJson(`${mergeRequestPath(project, request.iid)}/cancel_merge_when_pipeline_succeeds`, {
      method: 'POST',
    })
    reload()
  })
  return (
    <div class={styles['form']}>
      {canceling.error && <Alert tone="error" title={canceling.error.message} />}
      <div class={styles['buttons']}>
        <span>
          <UserLink user={request.merge_user} />{' '}
          {inTrain
            ? 'has asked to merge it with the merge train.'
            : 'has asked for the merge when the pipeline succeeds.'}
        </span>
        <Button isBusy={canceling.isBusy} onClick={() => void canceling.run()}>
          {inTrain ? 'Remove from the merge train' : 'Cancel the merge'}
        </Button>
      </div>
    </div>
  )
}

/** Only where the source branch lacks commits of the target branch. */
function Rebase({ project, request, reload }: MergeFormProps) {
  const rebasing = useAction(async () => {
    await requestJson(`${mergeRequestPath(project, request.iid)}/rebase`, { method: 'PUT', body: {} })
    reload()
  })
  if ((request.diverged_commits_count ?? 0) === 0 || request.source_project_id === null) return null
  return (
    <>
      <Button
        isBusy={rebasing.isBusy || request.rebase_in_progress === true}
        onClick={() => void rebasing.run()}
      >
        Rebase
      </Button>
      {rebasing.error && <span class={styles['error']}>{rebasing.error.message}</span>}
    </>
  )
}
