import { Plus, Trash2 } from 'lucide'
import { useEffect, useState } from 'preact/hooks'

import type { Snippet } from '../../../coordinator/hosting/snippets/schema.js'
import { RequestError, requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { readOnce, refresh } from '../../api/use-read.js'
import { TextEditor } from '../../discussion/text-editor.js'
import { useDraft } from '../../discussion/use-draft.js'
import { navigate } from '../../frame/location.js'
import { useLoaded } from '../../frame/use-loaded.js'
import { ActionForm } from '../../kit/action-form.js'
import { Alert } from '../../kit/alert.js'
import { Button, IconButton, LinkButton } from '../../kit/button.js'
import { Input, Select } from '../../kit/field.js'
import { Box } from '../../kit/panel.js'
import { Skeleton } from '../../kit/skeleton.js'
import { Time } from '../../kit/time.js'
import form from '../../planned/wide-form.module.css'
import { type EditedFile, fileChanges, nextName, onto, problemOfFiles } from './edited-files.js'
import styles from './snippet-form.module.css'
import { listAddress, listApi, shownApi, snippetApi, type SnippetProject } from './snippet-owner.js'

export interface SavedSnippet {
  snippet: Snippet
  /** Its files, all of them texts. */
  files: readonly { path: string; content: string }[]
}

interface SnippetFormProps {
  project: SnippetProject
  /** The snippet that is changed; undefined for a new one. */
  saved: SavedSnippet | undefined
  /** Why it cannot be saved now. */
  reason: string | undefined
  /** Reads what is saved by now. */
  readAgain?: () => Promise<void>
}

const MAX_FILES = 100

/**
 * A form for a snippet, kept in the browser until it is saved. The draft remembers the version that it began with: what
 * somebody has saved since is replaced only if the user wants it.
 */
export function SnippetForm({ project, saved, reason, readAgain }: SnippetFormProps) {
  const title = useDraft('title', saved?.snippet.title)
  const description = useDraft('description', saved?.snippet.description ?? '')
  const [visibility, setVisibility] = useState<string>(saved?.snippet.visibility ?? 'private')
  const files = useFiles(saved)
  const problem = problemOfFiles(files.all)
  const base = useDraft('base')
  const [initialBase] = useState(saved?.snippet.updated_at)
  const latest = saved?.snippet.updated_at
  const known = base.text || initialBase
  const isOutdated = known !== latest
  const isChanged = title.isChanged || description.isChanged || files.isChanged
  useEffect(() => {
    if (isChanged && base.text === '' && initialBase !== undefined) base.setText(initialBase)
  })
  const discard = () => {
    for (const draft of [title, description, files, base]) draft.discard()
  }
  const saving = useAction(async (isOverwriting?: true) => {
    const common = { title: title.text, description: description.text, visibility }
    const changes = saved ? fileChanges(saved.files, onto(saved.files, files.all)) : []
    const snippet = saved
      ? await requestJson<Snippet>(snippetApi(project, saved.snippet.id), {
          method: 'PUT',
          body: {
            ...common,
            ...(changes.length > 0 && { files: changes }),
            last_updated_at: isOverwriting ? latest : known,
          },
        }).catch(async (error: unknown) => {
          if (error instanceof RequestError && error.status === 409) await readAgain?.()
          throw error
        })
      : await requestJson<Snippet>(listApi(project), {
          method: 'POST',
          body: { ...common, files: files.all.map(({ path, content }) => ({ file_path: path, content })) },
        })
    discard()
    await refresh(listApi(project))
    // The page must not begin with files that are no longer there.
    await readOnce(shownApi(project, snippet.id))
    navigate(snippet.web_url)
  })
  return (
    <ActionForm
      action={{ run: () => saving.run(), error: isOutdated ? undefined : saving.error }}
      class={form['form']}
    >
      {saved && isOutdated && (
        <Outdated
          saved={saved}
          isBusy={saving.isBusy}
          onOverwrite={() => void saving.run(true)}
          onDiscard={() => {
            discard()
            location.reload()
          }}
        />
      )}
      <Box class={form['fields']}>
        <div class={form['first']}>
          <Input
            label="Title"
            value={title.text}
            onInput={title.setText}
            required
            autoFocus={!saved}
            autoComplete="off"
            class={form['title']}
          />
          <Select
            label="Visibility"
            value={visibility}
            onInput={setVisibility}
            choices={[
              {
                value: 'private',
                label: project === undefined ? 'Private: only you' : 'Private: members of the project',
              },
              { value: 'internal', label: 'Internal: everyone who is signed in' },
              { value: 'public', label: 'Public: everyone' },
            ]}
          />
        </div>
        <TextEditor
          project={project}
          label="Description"
          value={description.text}
          onInput={description.setText}
          rows={3}
          placeholder="What it is for"
        />
      </Box>
      {files.all.map((file) => (
        <FileFields
          key={file.key}
          file={file}
          onChange={(changes) => files.change(file.key, changes)}
          onRemove={files.all.length > 1 ? () => files.remove(file.key) : undefined}
        />
      ))}
      <div class={form['buttons']}>
        <Button icon={Plus} onClick={files.add} disabled={files.all.length >= MAX_FILES}>
          Add a file
        </Button>
        <span class={styles['space']} />
        <LinkButton href={saved?.snippet.web_url ?? listAddress(project)}>Cancel</LinkButton>
        <Button
          kind="primary"
          type="submit"
          isBusy={saving.isBusy}
          reason={reason ?? problem}
          disabled={title.text.trim() === ''}
        >
          {saved ? 'Save changes' : 'Create snippet'}
        </Button>
      </div>
    </ActionForm>
  )
}

const NEW_FILES: readonly EditedFile[] = [{ key: 0, path: 'snippet.txt', content: '' }]

/** The files of the form; their draft is one text. */
function useFiles(saved: SavedSnippet | undefined) {
  const [initial] = useState(() =>
    JSON.stringify(
      saved?.files.map(({ path, content }, key): EditedFile => ({ key, path, content, before: path })) ??
        NEW_FILES,
    ),
  )
  const draft = useDraft('files', initial)
  const all = JSON.parse(draft.text) as EditedFile[]
  const set = (next: EditedFile[]) => draft.setText(JSON.stringify(next))
  return {
    all,
    change: (key: number, changes: Partial<EditedFile>) =>
      set(all.map((file) => (file.key === key ? { ...file, ...changes } : file))),
    remove: (key: number) => set(all.filter((file) => file.key !== key)),
    add: () =>
      set([...all, { key: Math.max(...all.map(({ key }) => key)) + 1, path: nextName(all), content: '' }]),
    isChanged: draft.isChanged,
    discard: draft.discard,
  }
}

interface OutdatedProps {
  /** The snippet as it is now. */
  saved: SavedSnippet
  isBusy: boolean
  onOverwrite: () => void
  onDiscard: () => void
}

/** Above the text of the user: what somebody else has saved since the user began. */
function Outdated({ saved: { snippet, files }, isBusy, onOverwrite, onDiscard }: OutdatedProps) {
  return (
    <Alert
      tone="warning"
      title="Somebody has saved this snippet since you began."
      actions={
        <>
          <Button size="small" isBusy={isBusy} onClick={onOverwrite}>
            Save mine over it
          </Button>
          <Button size="small" onClick={onDiscard}>
            Discard mine
          </Button>
        </>
      }
    >
      <p>
        They saved <Time value={snippet.updated_at} />. Your text is kept below: put into it what you want of
        theirs, then save it over theirs.
      </p>
      {files.map(({ path, content }) => (
        <details key={path} class={styles['theirs']}>
          <summary>Their {path}</summary>
          <pre tabIndex={0} role="group" aria-label={`Their ${path}`}>
            {content}
          </pre>
        </details>
      ))}
    </Alert>
  )
}

interface FileFieldsProps {
  file: EditedFile
  onChange: (changes: Partial<EditedFile>) => void
  onRemove: (() => void) | undefined
}

function FileFields({ file: { path, content }, onChange, onRemove }: FileFieldsProps) {
  const editor = useLoaded(() => import('../../editor/text-editor.js'))
  const name = path === '' ? 'the file' : path
  return (
    <Box label={`File ${name}`}>
      <div class={styles['bar']}>
        <Input
          label="File name"
          hidesLabel
          value={path}
          onInput={(next) => onChange({ path: next })}
          required
          autoComplete="off"
          spellcheck={false}
          class={styles['name']}
        />
        {onRemove && <IconButton icon={Trash2} label={`Remove ${name}`} onClick={onRemove} />}
      </div>
      {editor ? (
        <editor.TextEditor
          key={endOf(path)}
          class={styles['editor']}
          label={`Content of ${name}`}
          value={content}
          onInput={(next) => onChange({ content: next })}
          path={path}
        />
      ) : (
        <Skeleton rows={6} />
      )}
    </Box>
  )
}

/** A file gets its language with the end of its name. */
function endOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('.')) + 1)
}
