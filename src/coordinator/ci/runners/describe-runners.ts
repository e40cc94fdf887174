import type { Database } from '../../database/connect.js'
import { fullNamesOf } from '../../http/presenters/full-names.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { concurrencyOf } from './concurrency.js'
import { presentListedDetails, presentManager, presentRunner, presentRunnerDetails } from './present.js'
import type { DetailedRunner, RunnerDetails, RunnerManager, RunnerSummary } from './schema.js'
import {
  busyMachines,
  busyRunners,
  countRunningJobs,
  groupsOfRunner,
  managersOf,
  onlineConfigsOf,
  projectsOfRunner,
  type Runner,
} from './store.js'

/** Returns public records of rows. Related data is read once for all rows. */
export async function describeRunners(
  database: Database,
  externalUrl: string,
  runners: Runner[],
): Promise<RunnerSummary[]> {
  const busy = await busyRunners(
    database,
    runners.map(({ id }) => id),
  )
  const users = await usersById(
    database,
    runners.flatMap(({ creator_id }) => creator_id ?? []),
  )
  const now = Date.now()
  return runners.map((runner) => {
    const creator = users.get(runner.creator_id ?? 0)
    return presentRunner(runner, { externalUrl, now, creator, busy: busy.has(runner.id) })
  })
}

/** As `describeRunners`, with what `with_details` adds. */
export async function describeRunnersInDetail(
  database: Database,
  externalUrl: string,
  runners: Runner[],
): Promise<DetailedRunner[]> {
  const summaries = await describeRunners(database, externalUrl, runners)
  const ids = runners.map(({ id }) => id)
  const jobs = await countRunningJobs(database, ids)
  const configs = await onlineConfigsOf(database, ids, Date.now())
  const rows = new Map(runners.map((runner) => [runner.id, runner]))
  return summaries.flatMap((summary) => {
    const runner = rows.get(summary.id)
    if (!runner) return []
    const runningJobs = jobs.get(runner.id) ?? 0
    const concurrency = concurrencyOf(configs.get(runner.id) ?? [])
    return [{ ...summary, ...presentListedDetails(runner, { runningJobs, concurrency }) }]
  })
}

export async function describeRunner(
  database: Database,
  externalUrl: string,
  runner: Runner,
): Promise<RunnerDetails> {
  const busy = await busyRunners(database, [runner.id])
  const users = await usersById(database, [runner.creator_id])
  const projects = await projectsOfRunner(database, runner.id)
  const owners = {
    projects,
    fullNames: await fullNamesOf(database, projects),
    groups: await groupsOfRunner(database, runner),
  }
  return presentRunnerDetails(runner, owners, {
    externalUrl,
    now: Date.now(),
    creator: users.get(runner.creator_id ?? 0),
    busy: busy.has(runner.id),
  })
}

/** The machines that use the runner. */
export async function describeManagers(database: Database, runner: Runner): Promise<RunnerManager[]> {
  const managers = await managersOf(database, runner.id)
  const busy = await busyMachines(database, runner.id)
  const now = Date.now()
  return managers.map((manager) => presentManager(manager, { now, busy: busy.has(manager.system_id) }))
}
