import type { User } from '../../access/caller.js'
import { presentRunnerManager } from '../../http/presenters/present-runner-manager.js'
import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { presentRunnerBrief } from '../queue/present-runner-brief.js'
import { connectionStatus } from '../queue/runner-status.js'
import { reportedHosts } from './reported-hosts.js'
import type {
  ListedRunnerDetails,
  RunnerDetails,
  RunnerGroup,
  RunnerManager,
  RunnerProject,
  RunnerSummary,
} from './schema.js'
import type { Manager, Runner } from './store.js'

/** The related rows that a record of a runner shows. */
export interface RunnerSurroundings {
  externalUrl: string
  now: number
  creator: User | undefined
  /** It has a job right now. */
  busy: boolean
}

export function presentRunner(runner: Runner, around: RunnerSurroundings): RunnerSummary {
  const { now, creator, busy, externalUrl } = around
  return {
    ...presentRunnerBrief(runner, now),
    created_by: creator ? presentUser(creator, externalUrl) : null,
    created_at: isoTime(runner.created_at),
    job_execution_status: executionStatus(busy),
  }
}

/** What a list shows beyond the summary. */
export function presentListedDetails(
  runner: Runner,
  { runningJobs, concurrency }: { runningJobs: number; concurrency: number | null },
): ListedRunnerDetails {
  const { tag_list, run_untagged, locked, access_level, weight } = runner
  const { version, platform, architecture, maintenance_note } = runner
  return {
    tag_list,
    run_untagged,
    locked,
    access_level,
    weight,
    version,
    platform,
    architecture,
    maintenance_note,
    contacted_at: isoTimeOrNull(runner.contacted_at),
    running_jobs: runningJobs,
    concurrency,
    group_id: runner.group_id,
  }
}

interface ProjectNames {
  id: number
  name: string
  path: string
  full_path: string
}

interface GroupNames {
  id: number
  name: string
  full_path: string
}

/** The owners of a runner. */
interface RunnerOwners {
  projects: ProjectNames[]
  /** Full names by id, for `name_with_namespace`. */
  fullNames: Map<number, string>
  groups: GroupNames[]
}

/** The authentication token is stored as a digest, so records cannot show it. */
export function presentRunnerDetails(
  runner: Runner,
  { projects, fullNames, groups }: RunnerOwners,
  around: RunnerSurroundings,
): RunnerDetails {
  return {
    ...presentRunner(runner, around),
    tag_list: runner.tag_list,
    run_untagged: runner.run_untagged,
    locked: runner.locked,
    maximum_timeout: runner.maximum_timeout,
    access_level: runner.access_level,
    version: runner.version,
    revision: runner.revision,
    platform: runner.platform,
    architecture: runner.architecture,
    contacted_at: isoTimeOrNull(runner.contacted_at),
    maintenance_note: runner.maintenance_note,
    weight: runner.weight,
    projects: projects.map((project) => presentProject(project, fullNames)),
    groups: groups.map((group) => presentGroup(group, around.externalUrl)),
  }
}

function presentGroup({ id, name, full_path }: GroupNames, externalUrl: string): RunnerGroup {
  return { id, name, web_url: `${externalUrl}/groups/${full_path}` }
}

function presentProject(
  { id, name, path, full_path }: ProjectNames,
  fullNames: Map<number, string>,
): RunnerProject {
  return {
    id,
    name,
    name_with_namespace: fullNames.get(id) ?? name,
    path,
    path_with_namespace: full_path,
  }
}

export function presentManager(
  manager: Manager,
  { now, busy }: { now: number; busy: boolean },
): RunnerManager {
  return {
    ...presentRunnerManager(manager, connectionStatus(manager, now)),
    job_execution_status: executionStatus(busy),
    hosts: reportedHosts(manager.config),
  }
}

function executionStatus(busy: boolean): string {
  return busy ? 'active' : 'idle'
}
