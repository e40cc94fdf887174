import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { projectApi } from '../../addresses/first-reads.js'
import type { Branch } from '../../coordinator/hosting/branches/schema.js'
import type { Action as FileAction, SingleCommit } from '../../coordinator/hosting/commits/schema.js'
import { RequestError, requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { refresh, useRead } from '../api/use-read.js'
import { Alert } from '../kit/alert.js'
import { Button } from '../kit/button.js'
import { Dialog } from '../kit/dialog.js'
import { Input, TextArea } from '../kit/field.js'
import styles from './commit-dialog.module.css'

interface Committed {
  branch: string
  commit: SingleCommit
}

interface CommitDialogProps {
  project: string
  title?: string
  /** The verb on the button. */
  action?: string
  isDangerous?: boolean
  /** The branch that is changed; the first commit of an empty repository creates it. A new branch starts from a tag. */
  branch: string
  isEmptyRepository?: boolean
  /** The commit of the tag or branch, if it is known. */
  headSha?: string | undefined
  message: string
  /** The page of the file, for one that others have changed since. */
  fileHref?: string | undefined
  /** Why it cannot be committed yet. */
  reason?: string | undefined
  /** Fields before the message. */
  children?: ComponentChildren
  actions: () => FileAction[] | Promise<FileAction[]>
  onCommitted: (committed: Committed) => void
  onClose: () => void
}

/** Asks for the message and the branch of a commit, and creates it. */
export function CommitDialog({
  project,
  title = 'Commit changes',
  action = 'Commit',
  isDangerous = false,
  branch,
  isEmptyRepository = false,
  headSha,
  message: proposed,
  fileHref,
  reason,
  children,
  actions,
  onCommitted,
  onClose,
}: CommitDialogProps) {
  const base = `${projectApi(project)}/repository`
  const [written, setMessage] = useState<string>()
  const message = written ?? proposed
  const [chosen, setChosen] = useState<'this' | 'new'>()
  const [name, setName] = useState(() => `patch-${Date.now().toString(36).slice(-5)}`)
  const record = useRead<Branch>(
    isEmptyRepository ? undefined : `${base}/branches/${encodeURIComponent(branch)}`,
  )
  const needsBranch = record.error instanceof RequestError && record.error.status === 404
  const mayPush = !needsBranch && record.data?.can_push !== false
  const target = chosen ?? (mayPush ? 'this' : 'new')
  const committing = useAction(async () => {
    const start = needsBranch ? { start_sha: headSha ?? branch } : { start_branch: branch }
    const commit = await requestJson<SingleCommit>(`${base}/commits`, {
      method: 'POST',
      body: {
        branch: target === 'this' ? branch : name,
        ...(target === 'new' && start),
        commit_message: message,
        actions: await actions(),
      },
    })
    await refresh(base, `${projectApi(project)}/pipelines`)
    onCommitted({ branch: target === 'this' ? branch : name, commit })
  })
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => void committing.run()}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind={isDangerous ? 'danger' : 'primary'}
            type="submit"
            isBusy={committing.isBusy}
            reason={reason}
          >
            {action}
          </Button>
        </>
      }
    >
      {committing.error && <Refusal error={committing.error} fileHref={fileHref} />}
      {children}
      <TextArea
        label="Commit message"
        value={message}
        onInput={setMessage}
        required
        autoFocus={children === undefined}
        rows={3}
      />
      <fieldset class={styles['target']}>
        <legend>Branch</legend>
        {!needsBranch && (
          <label class={styles['choice']}>
            <input
              type="radio"
              name="target"
              checked={target === 'this'}
              disabled={!mayPush}
              onChange={() => setChosen('this')}
            />
            <span>
              Commit to <strong>{branch}</strong>
              {!mayPush && <small>You may not push to this branch.</small>}
            </span>
          </label>
        )}
        {!isEmptyRepository && (
          <label class={styles['choice']}>
            <input type="radio" name="target" checked={target === 'new'} onChange={() => setChosen('new')} />
            <span>Create a new branch</span>
          </label>
        )}
        {target === 'new' && (
          <Input
            class={styles['name']}
            label="Name of the new branch"
            value={name}
            onInput={setName}
            required
            autoComplete="off"
            spellcheck={false}
          />
        )}
      </fieldset>
    </Dialog>
  )
}

/** The message of a refused commit, with the rules that refuse it. */
function Refusal({ error, fileHref }: { error: RequestError; fileHref: string | undefined }) {
  const { reasons } = (error.body ?? {}) as { reasons?: string[] }
  const isStale = error.message.includes('has changed since')
  return (
    <Alert
      tone="error"
      title={error.message}
      actions={
        isStale &&
        fileHref !== undefined && (
          <a href={fileHref} target="_blank">
            Open it as it is now
          </a>
        )
      }
    >
      {reasons && (
        <ul class={styles['reasons']}>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </Alert>
  )
}
