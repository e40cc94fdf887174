import type { Operation } from '../../http/operation.js'
import { jobActionOperations } from './action-operations.js'
import type { ViewAddressDeps } from './artifacts/in-place/view-address.js'
import { bridgeOperations } from './bridge-operations.js'
import { jobFailureOperations } from './failure-operations.js'
import { jobFileOperations } from './file-operations.js'
import { jobListOperations } from './list-operations.js'
import { jobLogOperations } from './log-operations.js'
import { jobReproductionOperations, type ReproductionOperationsDeps } from './reproduction-operations.js'
import { artifactViewOperations } from './view-operations.js'

/** Operations for users: list and read jobs, download their files, act on them (API, I4). */
export function jobOperations(deps: ReproductionOperationsDeps, views: ViewAddressDeps): Operation[] {
  return [
    ...jobListOperations(deps),
    ...bridgeOperations(deps),
    ...jobFileOperations(deps),
    ...artifactViewOperations(deps, views),
    ...jobLogOperations(deps),
    ...jobFailureOperations(deps),
    ...jobReproductionOperations(deps),
    ...jobActionOperations(deps),
  ]
}
