import { useEffect, useRef, useState } from 'preact/hooks'

import type { Conflicts as ConflictsRecord } from '../../../coordinator/planning/merge-requests/conflicts/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { useRead } from '../../api/use-read.js'
import { useDraft } from '../../discussion/use-draft.js'
import { withLineEndsOf } from '../../editor/file-text.js'
import { TextEditor } from '../../editor/text-editor.js'
import { notify } from '../../frame/notices.js'
import { Read } from '../../frame/problem.js'
import { Alert } from '../../kit/alert.js'
import { Button } from '../../kit/button.js'
import { MarkedText } from '../../text/marked-text.js'
import styles from './conflict-files.module.css'
import { conflictsIn, resolved, type TextConflict } from './conflicts-in.js'
import { mergeRequestPath } from './merge-request-path.js'
import type { ShownMergeRequest } from './shown-merge-request.js'

/** What the reader has made of a file. */
interface Edited {
  text: string
  discard: () => void
}

/** The conflicts of a merge request, each file in an editor. */
export function ConflictFiles({ project, request, reload }: ShownMergeRequest) {
  const path = `${mergeRequestPath(project, request.iid)}/conflicts`
  const conflicts = useRead<ConflictsRecord>(path, { staleTime: Infinity })
  return (
    <Read of={conflicts}>
      {(record) => (
        <Form
          path={path}
          request={request}
          record={record}
          onAgain={() => void conflicts.refetch()}
          onDone={() => {
            notify(`Merged ${request.target_branch} into ${request.source_branch}`)
            reload()
          }}
        />
      )}
    </Read>
  )
}

interface FormProps extends Pick<ShownMergeRequest, 'request'> {
  path: string
  record: ConflictsRecord
  onAgain: () => void
  onDone: () => void
}

function Form({ path, request, record, onAgain, onDone }: FormProps) {
  const edited = useRef(new Map<string, Edited>())
  const [open, setOpen] = useState<Readonly<Record<string, number>>>({})
  const saving = useAction(async () => {
    const { source_sha, target_sha } = record
    const files = record.files.map((file) => ({
      path: file.path,
      content: withLineEndsOf(file.content ?? '', edited.current.get(file.path)?.text ?? ''),
    }))
    await requestJson(path, { method: 'POST', body: { source_sha, target_sha, files } })
    for (const { discard } of edited.current.values()) discard()
    onDone()
  })
  const left = record.files.reduce((sum, file) => sum + (open[file.path] ?? 1), 0)
  const needsGit = record.files.some(({ content }) => content === null)
  return (
    <form
      class={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        void saving.run()
      }}
    >
      {record.files.map((file) => (
        <FileConflicts
          key={file.path}
          file={file}
          request={request}
          onEdit={(change, count) => {
            edited.current.set(file.path, change)
            if (open[file.path] !== count) setOpen((before) => ({ ...before, [file.path]: count }))
          }}
        />
      ))}
      {saving.error && (
        <Alert
          tone="error"
          title={saving.error.message}
          actions={saving.error.status === 409 && <Button onClick={onAgain}>Read the conflicts again</Button>}
        >
          What you have written stays here.
        </Alert>
      )}
      <div class={styles['buttons']}>
        <Button
          type="submit"
          kind="primary"
          isBusy={saving.isBusy}
          reason={
            needsGit
              ? 'Some files can only be resolved with git.'
              : left > 0
                ? 'Conflicts are left.'
                : undefined
          }
        >
          Commit to {request.source_branch}
        </Button>
        <span class={styles['quiet']}>
          {left === 0
            ? 'No conflict is left.'
            : left === 1
              ? '1 conflict is left.'
              : `${left} conflicts are left.`}
        </span>
      </div>
    </form>
  )
}

interface FileConflictsProps extends Pick<ShownMergeRequest, 'request'> {
  file: ConflictsRecord['files'][number]
  /** Called with the text, and the number of conflicts that it still has. */
  onEdit: (edited: Edited, count: number) => void
}

function FileConflicts({ file: { path, content }, request, onEdit }: FileConflictsProps) {
  const { text, setText, discard } = useDraft(`conflict ${path}`, content ?? '')
  const conflicts = conflictsIn(text)
  useEffect(() => onEdit({ text, discard }, content === null ? 1 : conflicts.length))
  return (
    <section class={styles['file']} aria-label={path}>
      <h3 class={styles['path']}>
        <MarkedText text={path} />
      </h3>
      {content === null ? (
        <p class={styles['quiet']}>
          This file can only be resolved with git: it is no text, or one branch has deleted or moved it.
        </p>
      ) : (
        <>
          {conflicts.map((conflict) => (
            <Conflict
              key={`${conflict.start} ${conflict.end}`}
              conflict={conflict}
              request={request}
              onChoose={(side) => setText(resolved(text, conflict, side))}
            />
          ))}
          <TextEditor
            label={`Content of ${path}`}
            path={path}
            value={text}
            onInput={setText}
            class={styles['text']}
          />
        </>
      )}
    </section>
  )
}

interface ConflictProps extends Pick<ShownMergeRequest, 'request'> {
  conflict: TextConflict
  onChoose: (side: 'ours' | 'theirs' | 'both') => void
}

function Conflict({ conflict: { ours, theirs }, request, onChoose }: ConflictProps) {
  const sides = [
    { side: 'ours', branch: request.source_branch, lines: ours },
    { side: 'theirs', branch: request.target_branch, lines: theirs },
  ] as const
  return (
    <div class={styles['conflict']}>
      {sides.map(({ side, branch, lines }) => (
        <div key={side} class={styles['side']}>
          <Button size="small" onClick={() => onChoose(side)}>
            Use {branch}
          </Button>
          <pre class={styles['lines']} tabIndex={0} aria-label={`Lines of ${branch}`}>
            <MarkedText text={lines.join('\n')} />
          </pre>
        </div>
      ))}
      <Button size="small" kind="ghost" onClick={() => onChoose('both')}>
        Use both
      </Button>
    </div>
  )
}
