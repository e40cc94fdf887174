import type { Logger } from '../../../../lib/logger.js'
import { MINUTE } from '../../../../lib/time-units.js'
import { ClaimedWorker } from '../../../background/claimed-worker.js'
import {
  claimTrain,
  findTrainsToPlan,
  finishTrain,
  onTrainWoken,
  renewTrain,
  type TrainRow,
} from '../../stores/merge-train-store.js'
import { driveTrain } from './drive-train.js'
import type { TrainDeps } from './train-deps.js'

/** Delay before a train that has failed is tried again, in milliseconds. */
const TRY_AGAIN_AFTER = MINUTE

/** Moves merge trains, in the background. One coordinator moves a train at a time. */
export class TrainWorker extends ClaimedWorker<TrainRow> {
  constructor(deps: TrainDeps & { logger: Logger }) {
    const { logger } = deps
    const { database } = deps.pushes
    super({
      of: 'Merge trains',
      find: () => findTrainsToPlan(database),
      claim: (row, until) => claimTrain(database, row, until),
      renew: ({ id }, until) => renewTrain(database, id, until),
      perform: async (row, signal) => {
        await driveTrain(deps, row, signal)
        if (!(await finishTrain(database, row))) this.wake()
      },
      // It counts as claimed until then.
      abort: ({ id }) => renewTrain(database, id, Date.now() + TRY_AGAIN_AFTER),
      logger,
    })
    onTrainWoken(database, () => this.wake())
  }
}
