import { DEVELOPER, MAINTAINER } from '../../../coordinator/access/access-levels.js'
import type { DetailedJob } from '../../../coordinator/ci/jobs/schema.js'

type Access = DetailedJob['artifacts_access']

const LEVELS: Record<Access, number> = {
  all: 0,
  developer: DEVELOPER,
  maintainer: MAINTAINER,
  none: Infinity,
}
const NAMES: Record<Exclude<Access, 'all'>, string> = {
  developer: 'developers and above',
  maintainer: 'maintainers and above',
  none: 'jobs of its pipeline',
}

/** Who else may read the artifacts of a job, if the reader may not. */
export function readersInstead(
  { artifacts_access: access }: Pick<DetailedJob, 'artifacts_access'>,
  { level }: { level: number },
): string | undefined {
  return access === 'all' || level >= LEVELS[access] ? undefined : NAMES[access]
}
