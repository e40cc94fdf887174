import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import type { DiscussedNote } from '../../../coordinator/planning/discussions/schema.js'
import { boot } from '../../api/boot.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { notifyError } from '../../frame/notices.js'
import { Badge } from '../../kit/badge.js'
import { Button } from '../../kit/button.js'
import { toggled } from '../../kit/toggled.js'
import { PendingBar } from './pending-bar.js'
import styles from './suggestions.module.css'

type Suggestion = DiscussedNote['suggestions'][number]

export interface Suggestions {
  /** The changes that a note suggests, with what applies them. */
  below: (note: DiscussedNote) => ComponentChildren
  /** What applies the changes that were gathered, in one commit; nothing while there are none. */
  bar: ComponentChildren
}

/** The suggested changes of a merge request: each of them becomes a commit, or several together. */
export function useSuggestions(onApplied: () => void): Suggestions {
  const [gathered, setGathered] = useState<ReadonlySet<number>>(new Set())
  const applying = useAction(async (ids: readonly number[]) => {
    const [only, ...others] = ids
    if (others.length === 0) await requestJson(`/suggestions/${only}/apply`, { method: 'PUT', body: {} })
    else await requestJson('/suggestions/batch_apply', { method: 'PUT', body: { ids } })
    setGathered(new Set())
    onApplied()
  }, notifyError)
  return {
    below: ({ suggestions }) =>
      suggestions.length === 0
        ? null
        : suggestions.map((suggestion) => (
            <Change key={suggestion.id} suggestion={suggestion}>
              {suggestion.appliable && boot.user && (
                <>
                  <Button
                    size="small"
                    isBusy={applying.isBusy}
                    onClick={() => void applying.run([suggestion.id])}
                  >
                    Apply
                  </Button>
                  <Button
                    size="small"
                    kind="ghost"
                    aria-pressed={gathered.has(suggestion.id)}
                    onClick={() => setGathered(toggled(gathered, suggestion.id))}
                  >
                    {gathered.has(suggestion.id) ? 'Take out of the batch' : 'Add to a batch'}
                  </Button>
                </>
              )}
            </Change>
          )),
    bar: gathered.size > 0 && (
      <PendingBar>
        <span>
          {gathered.size === 1 ? '1 suggestion is' : `${gathered.size} suggestions are`} gathered for one
          commit.
        </span>
        <Button
          kind="primary"
          size="small"
          isBusy={applying.isBusy}
          onClick={() => void applying.run([...gathered])}
        >
          Apply
        </Button>
        <Button size="small" onClick={() => setGathered(new Set())}>
          Discard
        </Button>
      </PendingBar>
    ),
  }
}

/** The lines that a suggestion removes and adds. */
function Change({ suggestion, children }: { suggestion: Suggestion; children: ComponentChildren }) {
  const { from_content: before, to_content: after, applied } = suggestion
  return (
    <figure class={styles['change']} aria-label="Suggested change">
      <pre class={styles['removed']}>{before}</pre>
      <pre class={styles['added']}>{after}</pre>
      <figcaption class={styles['actions']}>
        {applied && <Badge tone="success">applied</Badge>}
        {children}
      </figcaption>
    </figure>
  )
}
