import { Bold, Code, Italic, Link, List, ListTodo, Paperclip } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'

import { MarkdownPreview } from '../editor/markdown-preview.js'
import { IconButton } from '../kit/button.js'
import { classNames } from '../kit/class-names.js'
import { applyEdit, selectedText } from './apply-edit.js'
import { caretPosition } from './caret-position.js'
import { CompletionList } from './completion-list.js'
import { type Completion, completionAt } from './completion.js'
import type { DiscussedKind } from './discussed-kind.js'
import {
  codeSelection,
  continueList,
  linkSelection,
  prefixLines,
  type SelectedText,
  type TextEdit,
  wrapSelection,
} from './edit-text.js'
import styles from './text-editor.module.css'
import { type CompletionChoice, useCompletions } from './use-completions.js'
import { projectUploads, type UploadTarget, useUploads } from './use-uploads.js'

const TOOLS = [
  { label: 'Bold', icon: Bold, edit: (text: SelectedText) => wrapSelection(text, '**') },
  { label: 'Italic', icon: Italic, edit: (text: SelectedText) => wrapSelection(text, '_') },
  { label: 'Code', icon: Code, edit: codeSelection },
  { label: 'Link', icon: Link, edit: linkSelection },
  { label: 'List', icon: List, edit: (text: SelectedText) => prefixLines(text, '- ') },
  { label: 'Task list', icon: ListTodo, edit: (text: SelectedText) => prefixLines(text, '- [ ] ') },
] as const

/** Keys that change the selected text, with Ctrl. */
const KEYS: Partial<Record<string, (text: SelectedText) => TextEdit>> = {
  b: TOOLS[0].edit,
  i: TOOLS[1].edit,
  e: TOOLS[2].edit,
  k: TOOLS[3].edit,
}

export interface TextEditorProps {
  /**
   * Full path of the project whose users, labels and so on are proposed, and which keeps the files. Without one, nothing is
   * proposed.
   */
  project: string | undefined
  /** Of what the text is part; quick actions differ. Other texts have none. */
  kind?: DiscussedKind | undefined
  /** Where files are sent; by default to the project. */
  uploads?: UploadTarget | undefined
  /** In place of the text in Markdown as the server renders it. */
  preview?: ((text: string) => ComponentChildren) | undefined
  /** Name of the field for screen readers. */
  label: string
  value: string
  onInput: (text: string) => void
  /** Called with Ctrl+Enter. */
  onSend?: () => void
  /** Called with Escape. */
  onCancel?: () => void
  placeholder?: string
  rows?: number
  /** The field gets the focus when it appears. */
  takesFocus?: boolean
}

/** A field for Markdown: with a preview, buttons for frequent marks, files, and completion of what can be named. */
export function TextEditor(props: TextEditorProps) {
  const { project, label, value, onInput, preview } = props
  const [isPreview, setPreview] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const target = props.uploads ?? (project === undefined ? undefined : projectUploads(project))
  const uploads = useUploads(area, target, value, onInput)
  const id = useId()
  const tab = (name: string, shows: boolean) => (
    <button
      type="button"
      role="tab"
      id={`${id}-${name}`}
      aria-selected={isPreview === shows}
      aria-controls={`${id}-panel`}
      tabIndex={isPreview === shows ? 0 : -1}
      class={styles['tab']}
      onClick={() => setPreview(shows)}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
        setPreview(!isPreview)
        const other = currentTarget.nextElementSibling ?? currentTarget.previousElementSibling
        if (other instanceof HTMLElement) other.focus()
      }}
    >
      {name}
    </button>
  )
  return (
    <div class={styles['editor']}>
      <div class={styles['bar']}>
        <div class={styles['tabs']} role="tablist" aria-label={label}>
          {tab('Write', false)}
          {tab('Preview', true)}
        </div>
        {!isPreview && (
          <div class={styles['tools']} role="group" aria-label="Formatting">
            {TOOLS.map((tool) => (
              <IconButton
                key={tool.label}
                size="small"
                icon={tool.icon}
                label={tool.label}
                onClick={() => area.current && applyEdit(area.current, tool.edit(selectedText(area.current)))}
              />
            ))}
            {target && (
              <IconButton
                size="small"
                icon={Paperclip}
                label="Attach a file"
                onClick={() => picker.current?.click()}
              />
            )}
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              aria-label="File"
              onChange={({ currentTarget }) => {
                uploads.add(currentTarget.files ?? [])
                currentTarget.value = ''
              }}
            />
          </div>
        )}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${isPreview ? 'Preview' : 'Write'}`}>
        {isPreview ? (
          <div class={styles['preview']}>
            {preview ? preview(value) : <MarkdownPreview project={project} text={value} />}
          </div>
        ) : (
          <WritingArea {...props} area={area} onFiles={target && uploads.add} />
        )}
      </div>
      {uploads.count > 0 && (
        <p class={styles['sending']} role="status">
          Uploading {uploads.count === 1 ? 'a file' : `${uploads.count} files`}…
        </p>
      )}
    </div>
  )
}

interface WritingAreaProps extends TextEditorProps {
  area: { current: HTMLTextAreaElement | null }
  /** Undefined where no files are taken. */
  onFiles: ((files: Iterable<File>) => void) | undefined
}

function WritingArea({
  project,
  kind,
  label,
  value,
  onInput,
  onSend,
  onCancel,
  placeholder,
  rows = 4,
  takesFocus = false,
  area,
  onFiles,
}: WritingAreaProps) {
  const listId = useId()
  const [completion, setCompletion] = useState<Completion>()
  const [index, setIndex] = useState(0)
  const [isDropped, setDropped] = useState(false)
  const choices = useCompletions(project, kind, completion)
  const isOpen = completion !== undefined && choices.length > 0
  const activeIndex = Math.min(index, choices.length - 1)
  const active = choices[activeIndex]
  useEffect(() => {
    if (takesFocus) area.current?.focus()
  }, [takesFocus, area])
  const close = () => setCompletion(undefined)
  const openAt = (field: HTMLTextAreaElement) => {
    const { selectionStart: cursor, selectionEnd } = field
    setIndex(0)
    setCompletion(cursor === selectionEnd ? completionAt(field.value, cursor) : undefined)
  }
  const choose = ({ text }: CompletionChoice) => {
    if (!area.current || !completion) return
    const at = completion.start + text.length
    applyEdit(area.current, { ...completion, text, selectStart: at, selectEnd: at })
    // After an action such as `/assign `, its argument is completed.
    openAt(area.current)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const field = event.currentTarget as HTMLTextAreaElement
    const withControl = event.ctrlKey || event.metaKey
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const edit = withControl ? KEYS[event.key] : undefined
    if (event.isComposing) return
    if (withControl && event.key === 'Enter' && onSend) {
      event.preventDefault()
      onSend()
    } else if (edit) {
      event.preventDefault()
      applyEdit(field, edit(selectedText(field)))
    } else if (isOpen && step !== undefined) {
      event.preventDefault()
      setIndex((activeIndex + step + choices.length) % choices.length)
    } else if (isOpen && active && (event.key === 'Enter' || event.key === 'Tab')) {
      event.preventDefault()
      choose(active)
    } else if (event.key === 'Escape' && (isOpen || onCancel)) {
      // A dialog around the field stays open.
      event.preventDefault()
      event.stopPropagation()
      if (isOpen) close()
      else onCancel?.()
    } else if (event.key === 'Enter' && !event.shiftKey && !withControl) {
      const next = continueList(selectedText(field))
      if (!next) return
      event.preventDefault()
      applyEdit(field, next)
    }
  }
  return (
    <div class={styles['writing']}>
      <textarea
        ref={area}
        class={classNames(styles['area'], isDropped && styles['dropped'])}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? `${listId}-${activeIndex}` : undefined}
        placeholder={placeholder}
        rows={Math.max(rows, Math.min(24, value.split('\n').length + 1))}
        value={value}
        onInput={({ currentTarget }) => {
          onInput(currentTarget.value)
          openAt(currentTarget)
        }}
        onKeyDown={onKeyDown}
        onClick={close}
        onBlur={close}
        onPaste={(event) => {
          const files = [...(event.clipboardData?.files ?? [])]
          if (!onFiles || files.length === 0) return
          event.preventDefault()
          onFiles(files)
        }}
        onDragOver={(event) => {
          if (!onFiles || !event.dataTransfer?.types.includes('Files')) return
          event.preventDefault()
          setDropped(true)
        }}
        onDragLeave={() => setDropped(false)}
        onDrop={(event) => {
          setDropped(false)
          const files = [...(event.dataTransfer?.files ?? [])]
          if (!onFiles || files.length === 0) return
          event.preventDefault()
          onFiles(files)
        }}
      />
      {isOpen && area.current && (
        <CompletionList
          id={listId}
          choices={choices}
          active={active}
          at={caretPosition(area.current, completion.start)}
          onChoose={choose}
        />
      )}
      <span class="visually-hidden" role="status">
        {isOpen && `${choices.length} ${choices.length === 1 ? 'suggestion' : 'suggestions'}`}
      </span>
    </div>
  )
}
