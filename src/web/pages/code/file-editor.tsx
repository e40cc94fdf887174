import { useState } from 'preact/hooks'

import { MarkdownPreview } from '../../editor/markdown-preview.js'
import { PreviewChoice } from '../../editor/preview-choice.js'
import { TextEditor } from '../../editor/text-editor.js'
import { Box } from '../../kit/panel.js'
import styles from './file-editor.module.css'

interface FileEditorProps {
  project: string
  path: string
  text: string
  onInput: (text: string) => void
  /** The text with which the marks of changes compare. */
  compareTo?: string | undefined
}

/** The editor of a file, which fills the page; Markdown has a preview. */
export function FileEditor({ project, path, text, onInput, compareTo }: FileEditorProps) {
  const [isPreview, setPreview] = useState(false)
  const isMarkdown = /\.(md|markdown|mkdn?)$/i.test(path)
  return (
    <Box label="Editor" class={styles['panel']}>
      {isMarkdown && (
        <div class={styles['bar']} role="group" aria-label="View">
          <PreviewChoice isPreview={isPreview} onChoose={setPreview} />
        </div>
      )}
      {isMarkdown && isPreview ? (
        <div class={styles['preview']}>
          <MarkdownPreview project={project} text={text} />
        </div>
      ) : (
        <TextEditor
          key={languageKey(path)}
          class={styles['text']}
          label={path === '' ? 'Content of the file' : `Content of ${path}`}
          value={text}
          onInput={onInput}
          path={path}
          compareTo={compareTo}
        />
      )}
    </Box>
  )
}

/** A new file gets its language with the end of its name. */
function languageKey(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('.')) + 1)
}
