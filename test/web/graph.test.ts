import { describe, expect, it } from 'vitest'

import type { GraphJob } from '../../src/coordinator/ci/pipelines/graph/schema.js'
import { activeColumn } from '../../src/web/graph/active-column.js'
import { criticalPath } from '../../src/web/graph/critical-path.js'
import { followJobs } from '../../src/web/graph/follow-jobs.js'
import { countByStatus, groupJobs } from '../../src/web/graph/job-groups.js'
import { endOfName, instanceName } from '../../src/web/graph/job-names.js'
import { needColumns, stageColumns } from '../../src/web/graph/layers.js'
import { edgePath, isSameBlock, layOutGraph } from '../../src/web/graph/layout.js'
import { openPipeline } from '../../src/web/graph/open-pipeline.js'
import { relatedTo, relationsOf } from '../../src/web/graph/relations.js'
import { skipCauses } from '../../src/web/graph/skip-causes.js'
import { waterfallOf } from '../../src/web/graph/waterfall.js'
import { fitScale, nextScale } from '../../src/web/graph/zoom-scales.js'

const STAGES = ['build', 'test', 'deploy']
const START = Date.parse('2026-01-01T00:00:00Z')

describe('groups of jobs', () => {
  it('join the instances of a parallel job under its common name', () => {
    const groups = groupJobs([
      job('compile', 'build'),
      job('rspec 1/2', 'test', { group: 'rspec', index: 1, total: 2 }),
      job('rspec 2/2', 'test', { group: 'rspec', index: 2, total: 2, status: 'failed' }),
    ])
    expect(groups.map(({ name, status, jobs }) => [name, status, jobs.length])).toEqual([
      ['compile', 'success', 1],
      ['rspec', 'failed', 2],
    ])
  })

  it('count failures of jobs that may fail as warnings', () => {
    const jobs = [
      job('a', 'build', { status: 'failed', allow_failure: true }),
      job('b', 'build', { status: 'failed' }),
      job('c', 'build'),
    ]
    expect(countByStatus(jobs)).toEqual([
      { status: 'failed', count: 1 },
      { status: 'warning', count: 1 },
      { status: 'success', count: 1 },
    ])
  })
})

describe('names of jobs', () => {
  it('keep their ends where there is no room, because those differ', () => {
    expect(endOfName('lint')).toEqual({ head: 'lint', tail: '' })
    const ends = ['14', '15'].map((version) => endOfName(`integration tests, postgres ${version}`))
    expect(ends[0]?.head).toBe(ends[1]?.head)
    expect(ends.map(({ tail }) => tail)).toEqual(['postgres 14', 'postgres 15'])
  })

  it('of the instances of a matrix are the values that differ', () => {
    const matrix = (...names: string[]) =>
      names.map((name) => job(name, 'test', { group: 'rspec', index: 1, total: names.length }))
    const namesOf = (all: GraphJob[]) => all.map((one) => instanceName(one, all))
    expect(namesOf(matrix('rspec: [linux, 3.1, pg]', 'rspec: [linux, 3.2, pg]'))).toEqual(['3.1', '3.2'])
    expect(namesOf(matrix('rspec: [linux, 3.1]', 'rspec: [mac, 3.2]'))).toEqual(['linux, 3.1', 'mac, 3.2'])
    expect(namesOf(matrix('rspec: [linux]'))).toEqual(['[linux]'])
    expect(namesOf(matrix('rspec 1/2', 'rspec 2/2'))).toEqual(['1/2', '2/2'])
  })
})

describe('columns of the graph', () => {
  const jobs = [
    job('compile', 'build'),
    job('lint', 'test', { scheduling_type: 'dag' }),
    job('rspec', 'test', { scheduling_type: 'dag', needs: ['compile'] }),
    job('production', 'deploy'),
  ]
  const groups = groupJobs(jobs)
  const names = (columns: readonly (readonly { name: string }[])[]) =>
    columns.map((column) => column.map(({ name }) => name))

  it('are the stages that have jobs', () => {
    const columns = stageColumns(groups, ['.pre', ...STAGES])
    expect(names(columns)).toEqual([['compile'], ['lint', 'rspec'], ['production']])
  })

  it('follow the longest chain of needs; jobs without needs follow the stage before theirs', () => {
    const relations = relationsOf(groups, STAGES, true)
    expect(names(needColumns(groups, relations))).toEqual([['compile', 'lint'], ['rspec'], ['production']])
    expect([...relatedTo('rspec', relations)].toSorted()).toEqual(['compile', 'production', 'rspec'])
  })

  it('are found at once for 2,000 jobs, in one wide stage or one long chain', () => {
    const wide = Array.from({ length: 2000 }, (_, index) => job(`job ${index}`, 'build'))
    const deep = Array.from({ length: 2000 }, (_, index) =>
      job(`job ${index}`, 'build', {
        scheduling_type: 'dag',
        needs: index === 0 ? [] : [`job ${index - 1}`],
      }),
    )
    for (const [all, count] of [
      [wide, 1],
      [deep, 2000],
    ] as const) {
      const grouped = groupJobs(all)
      expect(needColumns(grouped, relationsOf(grouped, STAGES, true))).toHaveLength(count)
    }
  })

  it('fold what has passed in a column of more than 40 groups', () => {
    const many = groupJobs(
      Array.from({ length: 50 }, (_, index) =>
        job(`job ${index}`, 'build', { status: index === 7 ? 'failed' : 'success' }),
      ),
    )
    const placed = layOutGraph({ columns: [many] })
    expect(placed.boxes.map(({ kind, folded }) => [kind, folded.length])).toEqual([
      ['group', 0],
      ['folded', 49],
    ])
    expect(layOutGraph({ columns: [many], unfolded: new Set([0]) }).boxes).toHaveLength(50)
  })

  it('are drawn in blocks, of which only those with a changed job change', () => {
    const many = Array.from({ length: 20 }, (_, index) => job(`test ${index}`, 'test'))
    const blocks = (jobs: typeof many) =>
      layOutGraph({ columns: [groupJobs(jobs)] }).columns.flatMap((column) => column.blocks)
    const before = blocks(many)
    expect(before.map(({ boxes }) => boxes.length)).toEqual([8, 8, 4])
    const after = blocks(many.map((each, index) => (index === 9 ? { ...each, status: 'running' } : each)))
    const isSame = after.map((block, index) => isSameBlock(block, before[index] as typeof block))
    expect(isSame).toEqual([true, false, true])
  })

  it('are below each other in a list', () => {
    const placed = layOutGraph({ columns: stageColumns(groups, STAGES), isList: true })
    const boxes = placed.boxes.map(({ key, x, y, height }) => ({ key, x, y, end: y + height }))
    expect(boxes.map(({ key, x }) => [key, x])).toEqual([
      ['compile', 0],
      ['lint', 0],
      ['rspec', 0],
      ['production', 0],
    ])
    for (const [index, box] of boxes.entries()) expect(box.y).toBeGreaterThan(boxes[index - 1]?.end ?? 0)
    expect(placed.height).toBe(boxes.at(-1)?.end)
  })

  it('keep the lines of groups that are folded, at the box that stands for them', () => {
    const tests = Array.from({ length: 50 }, (_, index) =>
      job(`test ${index}`, 'test', { scheduling_type: 'dag', needs: ['compile'] }),
    )
    const last = job('deploy', 'deploy', { scheduling_type: 'dag', needs: ['test 3', 'test 4'] })
    const many = groupJobs([job('compile', 'build'), ...tests, last])
    const relations = relationsOf(many, STAGES, true)
    const shape = { columns: needColumns(many, relations) }
    expect(layOutGraph(shape).boxes).toHaveLength(3)
    expect(edgePath(layOutGraph(shape), relations).match(/M/g)).toHaveLength(2)
    const unfolded = layOutGraph({ ...shape, unfolded: new Set([1]) })
    expect(edgePath(unfolded, relations).match(/M/g)).toHaveLength(52)
  })

  it('are as wide as their names, within bounds', () => {
    const wide = job('integration tests of postgres 15', 'test')
    const placed = layOutGraph({
      columns: [groupJobs([job('a', 'build')]), groupJobs([wide]), groupJobs([job('x'.repeat(90), 'a')])],
    })
    const [short, long, longest] = placed.columns.map(({ width }) => width)
    expect(short).toBeLessThan(long ?? 0)
    expect(long).toBeLessThan(longest ?? 0)
    expect(longest).toBeLessThan(500)
    for (const [index, { x }] of placed.columns.entries()) {
      const before = placed.columns[index - 1]
      if (before) expect(x).toBeGreaterThan(before.x + before.width)
    }
    expect(placed.width).toBe((placed.columns[2]?.x ?? 0) + (longest ?? 0))
  })

  it('open where the pipeline runs, else where it failed or waits', () => {
    const columns = (...statuses: string[]) => statuses.map((status) => [{ status }])
    expect(activeColumn(columns('success', 'failed', 'success', 'running', 'created'))).toBe(3)
    expect(activeColumn(columns('success', 'pending', 'failed', 'skipped'))).toBe(2)
    expect(activeColumn(columns('success', 'pending', 'created'))).toBe(1)
    expect(activeColumn(columns('success', 'success'))).toBe(0)
  })

  it('have one curve for each need that is shown', () => {
    const relations = relationsOf(groups, STAGES, false)
    const placed = layOutGraph({ columns: stageColumns(groups, STAGES) })
    expect(edgePath(placed, relations).match(/M/g)).toHaveLength(1)
  })
})

describe('pipelines that are open in the graph of another one', () => {
  const linked = (id: number) => ({ id, project_id: 1, project_path: 'a/b', status: 'success' as const })
  const trigger = (name: string, child: number) =>
    job(name, 'deploy', { kind: 'trigger', downstream: linked(child) })
  const graphOf = (id: number, jobs: GraphJob[], upstream: number | null) =>
    openPipeline({
      stages: STAGES.map((name) => ({ name, status: 'success' as const })),
      upstream: upstream === null ? null : linked(upstream),
      jobs: jobs.map((each) => ({ ...each, pipeline_id: id })),
    })
  const columns = [groupJobs([trigger('docs', 2)])]
  const shown = (shape: Partial<Parameters<typeof layOutGraph>[0]>) =>
    layOutGraph({ columns, id: 1, ...shape }).boxes.map(({ kind, depth, job: of, text, opens }) => [
      depth,
      kind,
      of?.name ?? text,
      opens?.id,
    ])

  it('show their stages and jobs below the job that started them, several levels deep', () => {
    const pipelines = new Map([
      [2, graphOf(2, [job('compile', 'build'), trigger('pages', 3)], 1)],
      [3, graphOf(3, [job('upload', 'test')], 2)],
    ])
    expect(shown({ pipelines })).toEqual([
      [0, 'group', 'docs', 2],
      [1, 'stage', 'build', undefined],
      [1, 'group', 'compile', undefined],
      [1, 'stage', 'deploy', undefined],
      [1, 'group', 'pages', 3],
      [2, 'stage', 'test', undefined],
      [2, 'group', 'upload', undefined],
    ])
  })

  it('say what keeps them from being shown', () => {
    expect(shown({ pipelines: new Map([[2, 'Loading …']]) })).toEqual([
      [0, 'group', 'docs', 2],
      [1, 'note', 'Loading …', undefined],
    ])
  })

  it('have a column before the others for the pipeline that started this one, which does not open inside itself', () => {
    const pipelines = new Map([[9, graphOf(9, [trigger('app', 1), job('compile', 'build')], 8)]])
    const placed = layOutGraph({ columns, id: 1, upstream: linked(9), pipelines })
    expect(placed.columns.map(({ x }) => x)).toEqual([0, 288])
    expect(shown({ upstream: linked(9), pipelines }).slice(0, 6)).toEqual([
      [0, 'pipeline', '', 9],
      [1, 'pipeline', '', 8],
      [1, 'stage', 'build', undefined],
      [1, 'group', 'compile', undefined],
      [1, 'stage', 'deploy', undefined],
      [1, 'group', 'app', undefined],
    ])
  })
})

describe('the jobs because of which a job was skipped', () => {
  const jobs = [
    job('compile', 'build', { id: 1, status: 'failed' }),
    job('lint', 'build', { id: 2, status: 'failed', allow_failure: true }),
    job('rspec', 'test', { id: 3, status: 'skipped' }),
    job('pages', 'deploy', { id: 4, status: 'skipped', scheduling_type: 'dag', needs: ['rspec'] }),
    job('docs', 'deploy', { id: 5, status: 'skipped' }),
  ]
  const graph = { jobs, stages: STAGES.map((name) => ({ name, status: 'failed' as const })) }
  const causes = (id: number) => skipCauses(graph, id).map(({ name }) => name)

  it('are those that failed before it, else those that were skipped', () => {
    expect([causes(3), causes(4), causes(5), causes(6)]).toEqual([['compile'], ['rspec'], ['compile'], []])
  })
})

describe('the size of a graph', () => {
  it('changes by steps, also from the size that fits', () => {
    expect([nextScale(1, 1), nextScale(1, -1), nextScale(0.73, 1), nextScale(2, 1)]).toEqual([
      1.1, 0.9, 0.8, 2,
    ])
  })

  it('fits the width of its box, and is never larger than its own', () => {
    expect([fitScale(500, 1000), fitScale(1000, 500), fitScale(10, 10_000), fitScale(0, 500)]).toEqual([
      0.5, 1, 0.25, 1,
    ])
  })
})

describe('following the jobs of a pipeline', () => {
  const none = new Set<number>()
  const compile = job('compile', 'build', { id: 1, started_at: at(0), finished_at: at(10) })
  const runs = (id: number, seconds: number, more: Partial<GraphJob> = {}) =>
    job(`job ${id}`, 'test', { id, status: 'running', started_at: at(seconds), ...more })
  const failed = { status: 'failed', finished_at: at(30) } as const

  it('stays with a job until it ends, and continues with the one that has run longest', () => {
    const jobs = [compile, runs(2, 12), runs(3, 11)]
    expect(followJobs(jobs, undefined, none, false)).toEqual({ job: 3, hasEnded: false })
    expect(followJobs(jobs, 2, none, false)).toEqual({ job: 2, hasEnded: false })
    expect(followJobs([compile], 1, none, false)).toEqual({ job: 1, hasEnded: false })
    expect(followJobs([compile], undefined, none, true)).toEqual({ job: 1, hasEnded: true })
  })

  it('ends at the first failure of a job that may not fail', () => {
    const jobs = [runs(2, 12, { ...failed, finished_at: at(31) }), runs(3, 11, failed), runs(4, 11)]
    expect(followJobs(jobs, 4, none, false)).toEqual({ job: 3, hasEnded: true })
    expect(followJobs(jobs, 4, new Set([2, 3]), false)).toEqual({ job: 4, hasEnded: false })
    const mayFail = [runs(2, 12, { ...failed, allow_failure: true }), runs(4, 11)]
    expect(followJobs(mayFail, 4, none, false)).toEqual({ job: 4, hasEnded: false })
  })
})

describe('the waterfall', () => {
  const jobs = [
    job('compile', 'build', { queued_at: at(0), started_at: at(5), finished_at: at(45) }),
    job('lint', 'test', { queued_at: at(45), started_at: at(46), finished_at: at(58) }),
    job('rspec', 'test', { queued_at: at(45), started_at: at(60), finished_at: null, status: 'running' }),
  ]

  it('has a bar for the time in the queue and one for the run', () => {
    const { stages, length, waited, ran } = waterfallOf(jobs, STAGES, START, START + 100_000)
    expect(stages.map(({ name, groups }) => [name, groups.length])).toEqual([
      ['build', 1],
      ['test', 2],
    ])
    const rows = rowsOf(stages)
    expect(rows[0]?.spans.map(({ kind, start, end }) => [kind, start, end])).toEqual([
      ['wait', 0, 5],
      ['run', 5, 45],
    ])
    expect(rows[2]?.spans.at(-1)).toMatchObject({ kind: 'run', end: 100, isOpen: true })
    expect({ length, waited, ran }).toEqual({ length: 100, waited: 5 + 1 + 15, ran: 40 + 12 + 40 })
  })

  it('has the time in which a manual job could run, and the expected end of one that runs', () => {
    const manual = job('production', 'test', { when: 'manual', status: 'manual' })
    const played = job('staging', 'test', { when: 'manual', queued_at: at(50) })
    const all = [...jobs, manual, played]
    const { stages, length } = waterfallOf(all, STAGES, START, START + 100_000, new Map([[1, 60]]))
    const spans = new Map(rowsOf(stages).map((row) => [row.job.name, row.spans] as const))
    expect(spans.get('production')).toMatchObject([{ kind: 'manual', start: 45, end: 100, isOpen: true }])
    expect(spans.get('staging')?.[0]).toMatchObject({ kind: 'manual', start: 45, end: 50, isOpen: false })
    expect(spans.get('rspec')?.at(-1)).toMatchObject({ kind: 'rest', start: 100, end: 120 })
    expect(length).toBe(120)
  })

  it('has a bar until the log of a job began, which counts as run time', () => {
    const [compile] = jobs.map((each) => ({ ...each, output_at: at(12) }))
    const { stages, ran } = waterfallOf(compile ? [compile] : [], STAGES, START, START)
    expect(rowsOf(stages)[0]?.spans.map(({ kind, start, end }) => [kind, start, end])).toEqual([
      ['wait', 0, 5],
      ['start', 5, 12],
      ['run', 12, 45],
    ])
    expect(ran).toBe(40)
  })

  it('has a bar up to now while a job runs whose log has not begun', () => {
    const started = job('compile', 'build', { started_at: at(5), status: 'running' })
    const barsOf = (output_at: string | null) => {
      const { stages } = waterfallOf([{ ...started, output_at }], STAGES, START, START + 30_000)
      return rowsOf(stages)[0]?.spans.map(({ kind, start, end, isOpen }) => [kind, start, end, isOpen])
    }
    expect(barsOf(null)).toEqual([['start', 5, 30, true]])
    expect(barsOf(at(12))).toEqual([
      ['start', 5, 12, false],
      ['run', 12, 30, true],
    ])
  })

  it('joins the instances of a parallel job in one row', () => {
    const instance = (index: number, from: number, to: number) =>
      job(`rspec ${index}/3`, 'test', {
        id: index,
        group: 'rspec',
        index,
        total: 3,
        queued_at: at(0),
        started_at: at(from),
        finished_at: at(to),
      })
    const all = [instance(1, 20, 30), instance(2, 5, 12), instance(3, 10, 15)]
    const [group] = waterfallOf(all, STAGES, START, START).stages.flatMap(({ groups }) => groups)
    expect(group?.rows).toHaveLength(3)
    expect(group?.spans.map(({ kind, start, end }) => [kind, start, end])).toEqual([
      ['wait', 0, 20],
      ['run', 5, 15],
      ['run', 20, 30],
    ])
  })

  it('has the mean number of jobs that ran at once', () => {
    const twins = ['a', 'b'].map((name) =>
      job(name, 'build', { queued_at: at(0), started_at: at(0), finished_at: at(10) }),
    )
    expect(waterfallOf(twins, STAGES, START, START).parallelism).toBe(2)
  })

  it('names the chain of jobs that decided the end', () => {
    const path = criticalPath(jobs, STAGES, START, START + 100_000)
    expect(path.map(({ job: { name }, idle, ran }) => [name, idle, ran])).toEqual([
      ['compile', 5, 40],
      ['rspec', 15, 40],
    ])
  })

  it('counts the runs of all attempts of a job on that chain', () => {
    const attempt = { id: 1, status: 'failed' as const, created_at: at(0), duration: 10, queued_duration: 5 }
    const first = { ...attempt, queued_at: at(0), started_at: at(5), finished_at: at(15) }
    const retried = job('rspec', 'test', {
      queued_at: at(16),
      started_at: at(18),
      finished_at: at(30),
      earlier_attempts: [{ ...first, failure_reason: 'script_failure', runner: null }],
    })
    const path = criticalPath([retried], STAGES, START, START)
    expect(path.map(({ idle, ran }) => [idle, ran])).toEqual([[5 + 3, 10 + 12]])
  })
})

function rowsOf(stages: ReturnType<typeof waterfallOf>['stages']) {
  return stages.flatMap(({ groups }) => groups.flatMap(({ rows }) => rows))
}

function at(seconds: number): string {
  return new Date(START + seconds * 1000).toISOString()
}

function job(name: string, stage: string, more: Partial<GraphJob> = {}): GraphJob {
  return {
    id: 1,
    pipeline_id: 1,
    name,
    stage,
    kind: 'job',
    status: 'success',
    when: 'on_success',
    allow_failure: false,
    scheduling_type: 'stage',
    needs: [],
    created_at: at(0),
    queued_at: null,
    started_at: null,
    finished_at: null,
    duration: null,
    queued_duration: null,
    scheduled_at: null,
    failure_reason: null,
    waiting: null,
    runner: null,
    attempts: 1,
    artifacts: null,
    coverage: null,
    environment: null,
    group: null,
    index: null,
    total: null,
    downstream: null,
    tags: [],
    actions: [],
    manual_confirmation: null,
    target_url: null,
    ...more,
  }
}
