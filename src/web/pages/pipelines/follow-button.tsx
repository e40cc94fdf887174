import { LocateFixed } from 'lucide'

import { Button } from '../../kit/button.js'
import styles from './follow-button.module.css'
import type { LogPaneState } from './use-log-pane.js'
import type { ShownPipeline } from './use-pipeline.js'

/** Starts and stops showing the logs of the running jobs, one after the other; nothing once the pipeline has ended. */
export function FollowButton({ graph, pane }: Pick<ShownPipeline, 'graph'> & { pane: LogPaneState }) {
  if (graph.finished_at !== null && !pane.follows) return null
  return (
    <Button
      size="small"
      class={styles['follow']}
      icon={LocateFixed}
      aria-pressed={pane.follows}
      title="Show the log of what runs, up to the first failure"
      onClick={() => pane.follow(!pane.follows)}
    >
      <span>Follow</span>
    </Button>
  )
}
