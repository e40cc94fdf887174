import { SECONDS_PER_HOUR } from '../../../lib/time-units.js'
import type { Database } from '../../database/connect.js'
import { type Operation, operation } from '../../http/operation.js'
import { failuresOfRunners } from './failures.js'
import { spanOf } from './period.js'
import { queueOverview } from './queue-overview.js'
import {
  GetFailures,
  GetUse,
  GroupWaits,
  InstanceWaits,
  ProjectWaits,
  QueueOverview,
  RunnerFailures,
  RunnerUse,
  WaitStatistics,
} from './schema.js'
import { runnerUse } from './use.js'
import { waitStatistics } from './waits.js'

export interface RunnerStatisticsDeps {
  database: Database
  /** Without a trailing slash. */
  externalUrl: string
}

/** Waits of jobs and use of runners (API, N13). */
export function runnerStatisticsOperations(deps: RunnerStatisticsDeps): Operation[] {
  return [...waits(deps), ...now(deps)]
}

function waits({ database }: RunnerStatisticsDeps): Operation[] {
  return [
    operation('GET /runners/waits', {
      summary: 'Get how long jobs waited for a runner',
      access: 'administrator',
      params: InstanceWaits,
      exclusive: [
        ['runner_id', 'runner_type'],
        ['runner_id', 'tag_set_id'],
      ],
      responses: { 200: WaitStatistics },
      cacheable: true,
      run: ({ params: { by, ...filters } }) => {
        const { runner_id, runner_type, tag_set_id } = filters
        const isByRunner = by === 'runner' || runner_id !== undefined
        const at = Date.now()
        const span = spanOf(filters, 3 * SECONDS_PER_HOUR, at)
        const selection = isByRunner ? { ...span, runner_id } : { ...span, runner_type, tag_set_id }
        return waitStatistics(database, isByRunner ? 'runner' : (by ?? 'tag_set'), selection, at)
      },
    }),
    operation('GET /projects/:id/runners/waits', {
      summary: 'Get how long jobs of a project waited for a runner',
      access: 'read_pipelines',
      params: ProjectWaits,
      responses: { 200: WaitStatistics },
      cacheable: true,
      run: ({ project, params: { by = 'tag_set', from, to, ...filters } }) => {
        const at = Date.now()
        const selection = {
          ...spanOf({ from, to }, 3 * SECONDS_PER_HOUR, at),
          ...filters,
          project_id: project.id,
        }
        return waitStatistics(database, by, selection, at)
      },
    }),
    operation('GET /groups/:id/runners/waits', {
      summary: 'Get how long jobs of the projects of a group waited for a runner',
      access: 'admin_group_runners',
      params: GroupWaits,
      responses: { 200: WaitStatistics },
      cacheable: true,
      run: ({ group, params: { by = 'tag_set', from, to, ...filters } }) => {
        const at = Date.now()
        const selection = {
          ...spanOf({ from, to }, 3 * SECONDS_PER_HOUR, at),
          ...filters,
          group_id: group.id,
        }
        return waitStatistics(database, by, selection, at)
      },
    }),
  ]
}

function now({ database, externalUrl }: RunnerStatisticsDeps): Operation[] {
  return [
    operation('GET /runners/queue', {
      summary: 'Get the jobs that wait now, by reason and tags',
      access: 'administrator',
      responses: { 200: QueueOverview },
      cacheable: true,
      run: () => queueOverview({ database, externalUrl }, Date.now()),
    }),
    operation('GET /projects/:id/runners/queue', {
      summary: 'Get the jobs of a project that wait now, by reason and tags',
      access: 'admin_runners',
      responses: { 200: QueueOverview },
      cacheable: true,
      run: ({ project }) => queueOverview({ database, externalUrl }, Date.now(), { project_id: project.id }),
    }),
    operation('GET /groups/:id/runners/queue', {
      summary: 'Get the jobs of the projects of a group that wait now, by reason and tags',
      access: 'admin_group_runners',
      responses: { 200: QueueOverview },
      cacheable: true,
      run: ({ group }) => queueOverview({ database, externalUrl }, Date.now(), { group_id: group.id }),
    }),
    operation('GET /runners/failures', {
      summary: 'Get the runners whose jobs failed because of them',
      access: 'administrator',
      params: GetFailures,
      responses: { 200: RunnerFailures },
      cacheable: true,
      run: ({ params }) =>
        failuresOfRunners({ database, externalUrl }, spanOf(params, 24 * SECONDS_PER_HOUR, Date.now())),
    }),
    operation('GET /runners/use', {
      summary: 'Get how busy runners were',
      access: 'administrator',
      params: GetUse,
      responses: { 200: RunnerUse },
      cacheable: true,
      run: ({ params: { runner_id, ...span } }) =>
        runnerUse(database, spanOf(span, 24 * SECONDS_PER_HOUR, Date.now()), runner_id),
    }),
  ]
}
