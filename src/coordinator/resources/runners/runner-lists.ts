import type { Database } from '../../database/connect.js'
import type { Paging, Project, User } from '../../http/operation.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import { filterRunners, type RunnerQuery } from './filter-runners.js'
import type { RunnerFilters } from './schema.js'
import { type GroupOfRunners, groupsAbove, maintainedProjects, ownedGroups, type Runner } from './store.js'

/** A page of those of the runners that the filters let through, the newest first. */
export async function listRunners(
  database: Database,
  runners: RunnerQuery,
  filters: RunnerFilters,
  paging: Paging,
): Promise<Rows<Runner>> {
  const found = filterRunners(runners, filters, Date.now())
  return listRows(database, found, paging, { table: 'runner', column: 'id', direction: 'desc' })
}

export function allRunners(database: Database): RunnerQuery {
  return database.selectFrom('runner')
}

/** Project runners of the projects that the user maintains, and runners of the groups that the user owns. */
export function runnersMaintainedBy(database: Database, user: User): RunnerQuery {
  return database
    .selectFrom('runner')
    .where((where) =>
      where.or([
        where(
          'runner.id',
          'in',
          where
            .selectFrom('runner_project')
            .select('runner_id')
            .where('project_id', 'in', maintainedProjects(database, user)),
        ),
        where('runner.group_id', 'in', ownedGroups(database, user)),
      ]),
    )
}

/** Runners linked to the project, and those of the instance and of its groups where the project allows them. */
export function runnersOfProject(database: Database, project: Project): RunnerQuery {
  return database
    .selectFrom('runner')
    .where((where) =>
      where.or([
        where(
          'runner.id',
          'in',
          where.selectFrom('runner_project').select('runner_id').where('project_id', '=', project.id),
        ),
        ...(project.shared_runners_enabled ? [where('runner.runner_type', '=', 'instance_type')] : []),
        ...(project.group_runners_enabled
          ? [where('runner.group_id', 'in', groupsAbove(database, project))]
          : []),
      ]),
    )
}

/** Runners of the group itself, of the groups that it lies in, and of the instance unless it does without them. */
export function runnersOfGroup(database: Database, group: GroupOfRunners): RunnerQuery {
  return database
    .selectFrom('runner')
    .where((where) =>
      where.or([
        where('runner.group_id', '=', group.id),
        where('runner.group_id', 'in', groupsAbove(database, group)),
        ...(group.shared_runners_setting === 'enabled'
          ? [where('runner.runner_type', '=', 'instance_type')]
          : []),
      ]),
    )
}
