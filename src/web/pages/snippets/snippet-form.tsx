import { Plus, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import type { Snippet } from '../../../coordinator/hosting/snippets/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { readOnce, refresh } from '../../api/use-read.js'
import { TextEditor } from '../../discussion/text-editor.js'
import { useDraft } from '../../discussion/use-draft.js'
import { navigate } from '../../frame/location.js'
import { useLoaded } from '../../frame/use-loaded.js'
import { ActionForm } from '../../kit/action-form.js'
import { Button, IconButton, LinkButton } from '../../kit/button.js'
import { Input, Select } from '../../kit/field.js'
import { Box } from '../../kit/panel.js'
import { Skeleton } from '../../kit/skeleton.js'
import form from '../../planned/wide-form.module.css'
import { type EditedFile, fileChanges, nextName, problemOfFiles } from './edited-files.js'
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
}

const MAX_FILES = 100

/** A form for a snippet, kept in the browser until it is saved. */
export function SnippetForm({ project, saved, reason }: SnippetFormProps) {
  const title = useDraft('title', saved?.snippet.title)
  const description = useDraft('description', saved?.snippet.description ?? '')
  const [visibility, setVisibility] = useState<string>(saved?.snippet.visibility ?? 'private')
  const files = useFiles(saved)
  const problem = problemOfFiles(files.all)
  const saving = useAction(async () => {
    const common = { title: title.text, description: description.text, visibility }
    const changes = saved ? fileChanges(saved.files, files.all) : []
    const snippet = saved
      ? await requestJson<Snippet>(snippetApi(project, saved.snippet.id), {
          method: 'PUT',
          body: { ...common, ...(changes.length > 0 && { files: changes }) },
        })
      : await requestJson<Snippet>(listApi(project), {
          method: 'POST',
          body: { ...common, files: files.all.map(({ path, content }) => ({ file_path: path, content })) },
        })
    for (const draft of [title, description, files]) draft.discard()
    await refresh(listApi(project))
    // The page must not begin with files that are no longer there.
    await readOnce(shownApi(project, snippet.id))
    navigate(snippet.web_url)
  })
  return (
    <ActionForm action={saving} class={form['form']}>
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
    discard: draft.discard,
  }
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
