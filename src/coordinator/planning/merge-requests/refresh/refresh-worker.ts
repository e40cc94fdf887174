import type { Logger } from '../../../../lib/logger.js'
import { MINUTE } from '../../../../lib/time-units.js'
import { ClaimedWorker } from '../../../background/claimed-worker.js'
import {
  claimRefresh,
  findRefreshes,
  finishRefresh,
  onRefreshRequested,
  type RefreshRow,
  renewRefresh,
} from '../../stores/merge-request-refresh-store.js'
import { type RefreshDeps, refreshMergeRequest } from './refresh.js'

/** Delay before a failed refresh is tried again, in milliseconds. */
const TRY_AGAIN_AFTER = MINUTE

/** Compares merge requests with their branches in the background. */
export class RefreshWorker extends ClaimedWorker<RefreshRow> {
  constructor(deps: RefreshDeps & { logger: Logger }) {
    const { database, logger } = deps
    super({
      of: 'Merge requests',
      find: () => findRefreshes(database),
      claim: (row, until) => claimRefresh(database, row, until),
      renew: ({ id }, until) => renewRefresh(database, id, until),
      perform: async (row, signal) => {
        await refreshMergeRequest(deps, row.merge_request_id, row.pushed_by_id, signal)
        if (!(await finishRefresh(database, row))) this.wake()
      },
      // It counts as claimed until then.
      abort: ({ id }) => renewRefresh(database, id, Date.now() + TRY_AGAIN_AFTER),
      logger,
    })
    onRefreshRequested(database, () => this.wake())
  }
}
