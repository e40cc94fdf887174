import { Markdown } from '../../../discussion/markdown.js'
import styles from './page.module.css'

interface MessagePreviewProps {
  text: string
  /** CSS colors. */
  colors: { background: string; text: string }
}

/** What a message looks like. */
export function MessagePreview({ text, colors }: MessagePreviewProps) {
  return (
    <div
      class={styles['preview']}
      role="group"
      aria-label="Preview"
      style={{ background: colors.background, color: colors.text }}
    >
      <Markdown project={undefined} text={text} class={styles['text']} />
    </div>
  )
}
