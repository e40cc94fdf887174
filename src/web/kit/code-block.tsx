import styles from './code-block.module.css'
import { CopyButton } from './copy-button.js'

/** Commands or a file to copy. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div class={styles['block']}>
      {/* It scrolls sideways, so the keyboard must reach it. */}
      <pre tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} label={`Copy ${label}`} />
    </div>
  )
}
