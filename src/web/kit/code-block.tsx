import styles from './code-block.module.css'
import { CopyButton } from './copy-button.js'

/** Commands or a file to copy. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div class={styles['block']}>
      {/* Long lines wrap, so that nothing of a command is out of sight. */}
      <pre role="region" aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} label={`Copy ${label}`} />
    </div>
  )
}
