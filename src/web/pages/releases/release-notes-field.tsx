import { ListPlus } from 'lucide'
import { useState } from 'preact/hooks'

import { MarkdownPreview } from '../../editor/markdown-preview.js'
import { PreviewChoice } from '../../editor/preview-choice.js'
import { Button } from '../../kit/button.js'
import { TextArea } from '../../kit/field.js'
import styles from './release-form.module.css'

interface ReleaseNotesFieldProps {
  project: string
  value: string
  onInput: (text: string) => void
  /** Writes a draft from the commits since the last release; absent where there is nothing to draft from. */
  onDraft?: (() => void) | undefined
  isDrafting: boolean
}

/** The field for release notes, with a preview. */
export function ReleaseNotesField({ project, value, onInput, onDraft, isDrafting }: ReleaseNotesFieldProps) {
  const [isPreview, setPreview] = useState(false)
  return (
    <div class={styles['notes']}>
      <div class={styles['tools']} role="group" aria-label="Release notes">
        <PreviewChoice isPreview={isPreview} onChoose={setPreview} />
        <span class={styles['space']} />
        {onDraft && (
          <Button size="small" icon={ListPlus} isBusy={isDrafting} onClick={onDraft}>
            Draft from commits
          </Button>
        )}
      </div>
      {isPreview ? (
        <div class={styles['preview']}>
          <MarkdownPreview project={project} text={value} />
        </div>
      ) : (
        <TextArea
          label="Release notes"
          help="Markdown"
          value={value}
          onInput={onInput}
          rows={12}
          placeholder="What is new in this release"
        />
      )}
    </div>
  )
}
