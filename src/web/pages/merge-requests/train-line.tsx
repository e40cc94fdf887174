import { TrainFront } from 'lucide'

import { addressOf, queryOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import type { MergeTrainCar } from '../../../coordinator/planning/merge-requests/trains/schema.js'
import { useRead, useRefetchOn } from '../../api/use-read.js'
import { Icon } from '../../kit/icon.js'
import { StatusBadge } from '../../kit/status.js'
import { Time } from '../../kit/time.js'
import { UserLink } from '../../records/user-link.js'
import styles from './merge-box.module.css'
import type { ShownMergeRequest } from './shown-merge-request.js'

/** Milliseconds between reads of a train, in which no event says that it has moved. */
const WAIT = 10_000

/** Where a merge request is in the train of its target branch; nothing if it is in none. */
export function TrainLine({ project, request }: ShownMergeRequest) {
  const { target_branch: branch, iid } = request
  const query = queryOf({ scope: 'active', sort: 'asc', per_page: 100 })
  const path = `${projectApi(project)}/merge_trains/${encodeURIComponent(branch)}${query}`
  const cars = useRead<MergeTrainCar[]>(path, { refetchInterval: WAIT })
  useRefetchOn(request.merge_when_pipeline_succeeds, cars)
  const position = cars.data?.findIndex((car) => car.merge_request.iid === iid) ?? -1
  const car = cars.data?.[position]
  if (!car) return null
  const { pipeline, user, created_at: since } = car
  return (
    <div class={styles['line']}>
      <Icon icon={TrainFront} size={18} />
      <span>
        {position === 0 ? 'First' : `Number ${position + 1}`} of {cars.data?.length} in the merge train of{' '}
        {branch}, added by <UserLink user={user} /> <Time value={since} />
      </span>
      {pipeline ? (
        <a href={addressOf('pipelines/pipeline', { project, id: String(pipeline.id) })}>
          <StatusBadge status={pipeline.status} />
        </a>
      ) : (
        <span class={styles['remedy']}>No pipeline tests it yet.</span>
      )}
    </div>
  )
}
