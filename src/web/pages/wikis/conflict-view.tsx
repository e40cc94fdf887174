import { useState } from 'preact/hooks'

import type { WikiPage } from '../../../coordinator/hosting/wikis/schema.js'
import { Alert } from '../../kit/alert.js'
import { Button } from '../../kit/button.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import { Time } from '../../kit/time.js'
import styles from './conflict-view.module.css'
import { PageDiff } from './page-diff.js'
import type { WikiOwner } from './wiki-owner.js'

interface ConflictViewProps {
  owner: WikiOwner
  /** The page as it is now. */
  page: WikiPage
  /** The commit with which the user began. */
  since: string
  isBusy: boolean
  /** Saves the text of the user in place of the other one. */
  onOverwrite: () => void
  /** Puts the other text in place of that of the user. */
  onTakeTheirs: () => void
}

/** Above the text of the user: what somebody else has saved since the user began. */
export function ConflictView({ owner, page, since, isBusy, onOverwrite, onTakeTheirs }: ConflictViewProps) {
  const [asks, setAsks] = useState(false)
  const { last_commit: last, slug, content } = page
  return (
    <Alert
      tone="warning"
      title={`${last?.author_name ?? 'Somebody'} has saved this page since you began.`}
      actions={
        <>
          <Button size="small" isBusy={isBusy} onClick={onOverwrite}>
            Save mine over it
          </Button>
          <Button size="small" onClick={() => setAsks(true)}>
            Take theirs…
          </Button>
        </>
      }
    >
      <p>
        {last && (
          <>
            They saved <Time value={last.authored_date} />.{' '}
          </>
        )}
        Your text is kept below: put into it what you want of theirs, then save it over theirs.
      </p>
      <details class={styles['part']} open>
        <summary>What they changed</summary>
        <PageDiff owner={owner} slug={slug} from={since} to={last?.id ?? ''} />
      </details>
      <details class={styles['part']}>
        <summary>Their whole text</summary>
        <pre class={styles['text']} tabIndex={0} role="group" aria-label="Their whole text">
          {content}
        </pre>
      </details>
      {asks && (
        <ConfirmDialog
          title="Take their text?"
          action="Discard mine"
          isBusy={false}
          onConfirm={() => {
            onTakeTheirs()
            setAsks(false)
          }}
          onClose={() => setAsks(false)}
        >
          <p>What you have written is discarded.</p>
        </ConfirmDialog>
      )}
    </Alert>
  )
}
