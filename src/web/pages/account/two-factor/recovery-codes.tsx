import { Alert } from '../../../kit/alert.js'
import { Button } from '../../../kit/button.js'
import { CopyButton } from '../../../kit/copy-button.js'
import styles from './page.module.css'

/** New recovery codes, which are not shown again. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = `${codes.join('\n')}\n`
  return (
    <Alert title="Keep these recovery codes in a safe place">
      <div class={styles['stack']}>
        <p>
          Each of them replaces the second factor once. They are not shown again, and earlier ones are void.
        </p>
        <ul class={styles['codes']} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div class={styles['row']}>
          <CopyButton text={text} label="Copy the codes" />
          <a
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            download={`${location.hostname}-recovery-codes.txt`}
          >
            Download
          </a>
          <Button onClick={onDone}>I have kept them</Button>
        </div>
      </div>
    </Alert>
  )
}
