// The merge requests of the demo: what people of a made-up company review.
import { setTimeout as sleep } from 'node:timers/promises'

const HOUR = 3_600_000

/**
 * @typedef {object} RequestPlan
 * @property {string} project
 * @property {string} by
 * @property {string} branch
 * @property {string} [target] branch that is made for it; `main` by default
 * @property {Record<string, string>} [conflicting] contents that the target gets after the branch was made
 * @property {string} title
 * @property {number} hours before the end of the past
 * @property {string} description
 * @property {Record<string, string>} files new contents
 * @property {boolean} [hasPipeline] whether its commit starts a pipeline
 * @property {Record<string, 'passed' | 'failed'>} [checks] what services have said about it
 * @property {{ hours: number, fails?: boolean }} [train] when it is added to a merge train, in hours before the end of the past;
 *   `fails`: its tests there do
 * @property {string[]} [labels]
 * @property {string[]} [reviewers]
 * @property {string[]} [assignees]
 * @property {{ name: string, people: string[], required: number }[]} [rules] of approvals
 * @property {string[]} [approvals]
 * @property {'merged' | 'closed'} [end]
 * @property {{ by: string, path: string, line: number, body: string, replies?: { by: string, body: string }[], isResolved?: boolean }[]} [threads]
 * @property {{ by: string, body: string }[]} [comments]
 */

const PROJECT = 'atlas/api'
/** Its merge requests are merged one after another. */
const TRAINS = 'atlas/web'
const TRAIN_TARGET = 'release-4.0'

/** Services that check the merge requests of `PROJECT`. */
const CHECKS = ['Licences', 'Size of the image', 'Design review']

/** What a target branch has instead of the files of main. @type {Record<string, Record<string, string>>} */
const FILES_OF_TARGETS = {
  [TRAIN_TARGET]: {
    '.gitlab-ci.yml': `stages: [test, accept]

workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"

default:
  image: node:24
  tags: [docker]

types:
  stage: test
  script: npx tsc --noEmit

acceptance:
  stage: accept
  rules:
    - if: $CI_MERGE_REQUEST_EVENT_TYPE == "merge_train"
  script: npx playwright test --grep @acceptance
`,
  },
}

/** @type {RequestPlan[]} */
const REQUESTS = [
  {
    project: PROJECT,
    by: 'chloe',
    branch: 'lower-search-limit',
    title: 'Lower the limit of the search',
    hours: 60,
    description: 'A search returns 50 places at most. Clients show 20.',
    files: {
      'internal/search/limit.go': 'package search\n\n// Limit of places in a response.\nconst Limit = 50\n',
    },
    approvals: ['jonas'],
    // The demo goes on pushing to main what it has planned.
    target: 'release-2.12',
    end: 'merged',
  },
  {
    project: PROJECT,
    by: 'tomasz',
    branch: 'rewrite-in-c',
    title: 'Draft: Try another parser of requests',
    hours: 50,
    description: 'Only to see how fast it would be.',
    files: {
      'internal/search/parse.go': 'package search\n\nfunc parse(text string) []string { return nil }\n',
    },
    end: 'closed',
    comments: [{ by: 'jonas', body: 'It is not faster. Let us close it.' }],
  },
  {
    project: PROJECT,
    by: 'jonas',
    branch: '2-tiles-at-the-date-line',
    title: 'Request tiles at the date line once',
    hours: 20,
    hasPipeline: true,
    checks: { Licences: 'passed', 'Size of the image': 'failed' },
    description: `Closes #2.

The columns of tiles are numbered from 0 to \`2^z - 1\`. Both sides of the date line asked for the same column:

- [x] numbers of columns are taken modulo \`2^z\`
- [x] test with a map that shows both sides
- [ ] measure again

\`\`\`go
column := (x%count + count) % count
\`\`\``,
    files: {
      'internal/tiles/column.go': `package tiles

// Column of a tile: columns repeat where the map shows the date line twice.
func Column(x, zoom int) int {
	count := 1 << zoom
	return (x%count + count) % count
}

// Columns between two edges of the map, each of them once.
func Columns(from, to, zoom int) []int {
	seen := map[int]bool{}
	var columns []int
	for x := from; x <= to; x++ {
		column := Column(x, zoom)
		if seen[column] {
			continue
		}
		seen[column] = true
		columns = append(columns, column)
	}
	return columns
}

// Wraps says whether the map shows a column twice.
func Wraps(from, to, zoom int) bool {
	return to-from >= 1<<zoom
}
`,
      'internal/tiles/column_test.go': `package tiles

import "testing"

func TestColumnsAtTheDateLine(t *testing.T) {
	if got := len(Columns(-1, 4, 2)); got != 4 {
		t.Errorf("got %d columns, want 4", got)
	}
}

func TestNoColumns(t *testing.T) {
	if Columns(4, -1, 2) == nil {
		t.Error("got nil, want an empty list")
	}
}
`,
    },
    labels: ['bug', 'performance'],
    reviewers: ['chloe', 'noah'],
    assignees: ['jonas'],
    approvals: ['chloe'],
    threads: [
      {
        by: 'chloe',
        path: 'internal/tiles/column.go',
        line: 6,
        body: 'Is `x` ever negative?',
        replies: [{ by: 'jonas', body: 'Yes, left of the date line. The test has such a map.' }],
        isResolved: true,
      },
      {
        by: 'noah',
        path: 'internal/tiles/column.go',
        line: 12,
        body: 'A map of this size is allocated for each request. Would a slice of `bool` do?',
      },
    ],
    comments: [{ by: 'chloe', body: 'Works on my phone with the **whole** Pacific in sight :tada:' }],
  },
  {
    project: PROJECT,
    by: 'tomasz',
    branch: 'document-errors',
    title: 'Document the error codes of the search',
    hours: 8,
    description: 'Closes #1. The table is made of the constants.',
    files: {
      'docs/errors.md': '# Errors\n\n| code | meaning |\n| --- | --- |\n| E42 | the search has no words |\n',
    },
    labels: ['documentation'],
    reviewers: ['jonas'],
    rules: [{ name: 'Documentation', people: ['chloe', 'dimitri'], required: 1 }],
  },
  {
    project: PROJECT,
    by: 'dimitri',
    branch: 'longer-timeout',
    target: 'release-2.11',
    title: 'Wait longer for tiles',
    hours: 6,
    description: 'Slow networks need more than two seconds.',
    files: {
      'internal/tiles/timeout.go': timeoutFile('5 * time.Second', 'Slow networks need some time.'),
    },
    conflicting: {
      'internal/tiles/timeout.go': timeoutFile('1 * time.Second', 'A client asks again.'),
    },
    reviewers: ['jonas'],
  },
  {
    project: TRAINS,
    by: 'lena',
    branch: 'cluster-labels',
    target: TRAIN_TARGET,
    title: 'Cluster labels that overlap',
    hours: 9,
    description: 'Labels of places that are near each other become one.',
    files: { 'src/map/cluster.ts': 'export const DISTANCE = 24\n' },
    train: { hours: 4, fails: true },
  },
  {
    project: TRAINS,
    by: 'chloe',
    branch: 'share-the-view',
    target: TRAIN_TARGET,
    title: 'Share what the map shows',
    hours: 7,
    description: 'A link that opens the map at the same place.',
    files: { 'src/map/share.ts': 'export const PARAMETER = "at"\n' },
    reviewers: ['aiko'],
    approvals: ['aiko'],
    train: { hours: 0.3 },
  },
  {
    project: TRAINS,
    by: 'aiko',
    branch: 'scale-in-miles',
    target: TRAIN_TARGET,
    title: 'Show the scale in miles, too',
    hours: 5,
    description: 'In the countries that use them.',
    files: { 'src/map/scale.ts': 'export const MILE = 1609.344\n' },
    train: { hours: 0.2 },
  },
]

/**
 * @param {string} value
 * @param {string} reason
 */
function timeoutFile(value, reason) {
  return `package tiles\n\nimport "time"\n\n// ${reason}\nconst Timeout = ${value}\n`
}

/** @typedef {{ company: import('./company.mjs').Company, work: import('./work.mjs').Work, hookUrl: string }} Place */

/**
 * @param {Place & { simulation: import('./simulation.mjs').Simulation, begin: number, end: number }} history `begin` and `end` of
 *   the past
 */
export function planMergeRequests(history) {
  const { company, simulation, begin, end } = history
  /** @type {Set<string>} */
  const targets = new Set()
  simulation.at(begin, () => addSettings(history))
  for (const plan of REQUESTS) {
    const time = Math.max(begin + HOUR, end - plan.hours * HOUR)
    simulation.at(time, async () => {
      if (plan.target && !targets.has(plan.target)) await addTarget(company, plan, plan.target)
      targets.add(plan.target ?? 'main')
      const path = await addRequest(history, plan)
      const { train } = plan
      if (train) simulation.at(end - train.hours * HOUR, () => addToTrain(history, plan, path, train))
    })
  }
}

/** @param {Place} place */
async function addSettings({ company, hookUrl }) {
  for (const name of CHECKS)
    await company.api.post(`/projects/${company.project(PROJECT).id}/external_status_checks`, {
      name,
      external_url: `${hookUrl}/${name.toLowerCase().replaceAll(' ', '-')}`,
      shared_secret: 'a secret of the demo',
    })
  await company.api.put(`/projects/${company.project(TRAINS).id}`, {
    merge_trains_enabled: true,
    // One waits for the other.
    merge_trains_limit: 1,
  })
}

/**
 * @param {import('./company.mjs').Company} company
 * @param {RequestPlan} plan
 * @param {string} target
 */
async function addTarget(company, { project, by }, target) {
  await company.as(by).post(`/projects/${company.project(project).id}/repository/commits`, {
    branch: target,
    start_branch: 'main',
    commit_message: `Begin ${target}\n\n[skip ci]`,
    actions: [
      ...actions('create', { VERSION: `${target.replace('release-', '')}\n` }),
      ...actions('update', FILES_OF_TARGETS[target] ?? {}),
    ],
  })
}

/**
 * @param {Place} place
 * @param {RequestPlan} plan
 * @param {string} path of the merge request
 * @param {NonNullable<RequestPlan['train']>} train
 */
async function addToTrain({ company, work }, plan, path, { fails = false }) {
  const project = company.project(plan.project)
  const car = path.replace('/merge_requests/', '/merge_trains/merge_requests/')
  const owner = company.as(project.plan.owner)
  await owner.post(car)
  // What waits for another one has no pipeline yet.
  const [first] = await owner.list(
    `/projects/${project.id}/merge_trains/${TRAIN_TARGET}?scope=active&sort=asc`,
  )
  if (first?.merge_request.iid !== Number(path.split('/').at(-1))) return
  const { sha } = await pipelineOf(owner, car)
  if (fails) work.broken.set(sha, 'types')
  work.drainSoon(project)
}

/**
 * Waits until a pipeline tests a car, which the coordinator starts in the background.
 * @param {import('./api.mjs').Api} api
 * @param {string} car
 * @returns {Promise<{ sha: string }>}
 */
async function pipelineOf(api, car) {
  for (;;) {
    const { pipeline } = await api.call('GET', car)
    if (pipeline) return pipeline
    await sleep(100)
  }
}

/**
 * @param {Place} place
 * @param {RequestPlan} plan
 * @returns {Promise<string>} its path in the API
 */
async function addRequest({ company, work }, plan) {
  const project = `/projects/${company.project(plan.project).id}`
  const author = company.as(plan.by)
  const ids = (/** @type {string[]} */ names = []) => names.map((name) => company.person(name).id)
  const target = plan.target ?? 'main'
  await author.post(`${project}/repository/commits`, {
    branch: plan.branch,
    start_branch: target,
    // Most pipelines of the demo are planned elsewhere.
    commit_message: `${plan.title.replace('Draft: ', '')}${plan.hasPipeline ? '' : '\n\n[skip ci]'}`,
    actions: actions('create', plan.files),
  })
  if (plan.hasPipeline) work.drainSoon(company.project(plan.project))
  if (plan.conflicting)
    await author.post(`${project}/repository/commits`, {
      branch: target,
      commit_message: `Change ${Object.keys(plan.conflicting).join(', ')}\n\n[skip ci]`,
      actions: actions('create', plan.conflicting),
    })
  const { iid } = /** @type {{ iid: number }} */ (
    /** @type {unknown} */ (
      await author.post(`${project}/merge_requests`, {
        source_branch: plan.branch,
        target_branch: target,
        title: plan.title,
        description: plan.description,
        labels: plan.labels,
        reviewer_ids: ids(plan.reviewers),
        assignee_ids: ids(plan.assignees),
        remove_source_branch: true,
      })
    )
  )
  const path = `${project}/merge_requests/${iid}`
  const refs = await knownChanges(author, path)
  for (const thread of plan.threads ?? []) await addThread(company, path, { refs, thread })
  for (const { by, body } of plan.comments ?? []) await company.as(by).post(`${path}/notes`, { body })
  for (const { name, people, required } of plan.rules ?? [])
    await author.post(`${path}/approval_rules`, {
      name,
      approvals_required: required,
      user_ids: ids(people),
    })
  for (const [name, status] of Object.entries(plan.checks ?? {}))
    await report(author, path, { name, status, refs })
  for (const name of plan.approvals ?? []) await company.as(name).post(`${path}/approve`)
  const owner = company.as(company.project(plan.project).plan.owner)
  if (plan.end === 'merged') await owner.put(`${path}/merge`, {})
  if (plan.end === 'closed') await owner.put(path, { state_event: 'close' })
  return path
}

/**
 * Says what a service has found out about a merge request.
 * @param {import('./api.mjs').Api} api
 * @param {string} path
 * @param {{ name: string, status: string, refs: { head_sha: string } }} result
 */
async function report(api, path, { name, status, refs }) {
  const check = (await api.list(`${path}/status_checks`)).find((each) => each.name === name)
  if (!check) throw new Error(`There is no status check ${name}`)
  await api.post(`${path}/status_check_responses`, {
    external_status_check_id: check.id,
    sha: refs.head_sha,
    status,
  })
}

/**
 * @param {'create' | 'update'} action
 * @param {Record<string, string>} files
 * @returns {object[]} the actions of a commit
 */
function actions(action, files) {
  return Object.entries(files).map(([file_path, content]) => ({ action, file_path, content }))
}

/**
 * Waits until the coordinator has read the changes, which it does in the background.
 * @param {import('./api.mjs').Api} api
 * @param {string} path
 * @returns {Promise<{ head_sha: string }>} the commits between which the changes are
 */
async function knownChanges(api, path) {
  for (;;) {
    const { diff_refs: refs, merge_status: status } = await api.call('GET', path)
    if (refs && (status === 'can_be_merged' || status === 'cannot_be_merged')) return refs
    await sleep(100)
  }
}

/**
 * @param {import('./company.mjs').Company} company
 * @param {string} path
 * @param {{ refs: object, thread: NonNullable<RequestPlan['threads']>[number] }} place
 */
async function addThread(company, path, { refs, thread }) {
  const { by, body, line, path: file, replies = [], isResolved } = thread
  const position = { ...refs, position_type: 'text', new_path: file, old_path: file, new_line: line }
  const { id } = await company.as(by).post(`${path}/discussions`, { body, position })
  for (const reply of replies)
    await company.as(reply.by).post(`${path}/discussions/${id}/notes`, { body: reply.body })
  if (isResolved) await company.as(by).put(`${path}/discussions/${id}`, { resolved: true })
}
