// The issues of the demo: what people of a made-up company plan, report and discuss.

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** @typedef {{ by: string, body: string, after?: number, internal?: boolean, replies?: { by: string, body: string }[], emoji?: [string, string][] }} CommentPlan */
/**
 * @typedef {object} IssuePlan
 * @property {string} project
 * @property {string} by
 * @property {string} title
 * @property {number} hours before the end of the past
 * @property {string} [description]
 * @property {string[]} [labels]
 * @property {string[]} [assignees]
 * @property {string} [milestone]
 * @property {string} [epic]
 * @property {number} [due] days after the end of the past
 * @property {number} [weight]
 * @property {boolean} [confidential]
 * @property {boolean} [isClosed]
 * @property {string} [estimate]
 * @property {string} [spent]
 * @property {string[]} [emoji] names of people who give it a thumbsup
 * @property {CommentPlan[]} [comments]
 */

const LABELS = [
  { name: 'bug', color: '#d1242f', description: 'Something does not work' },
  { name: 'feature', color: '#1f883d', description: 'Something new' },
  { name: 'performance', color: '#bf8700', description: 'It works, but slowly' },
  { name: 'documentation', color: '#0969da', description: 'Texts for users and developers' },
  { name: 'needs design', color: '#8250df', description: 'Nobody has drawn it yet' },
  { name: 'good first issue', color: '#c8e6c9', description: 'For new colleagues' },
  { name: 'doing', color: '#0550ae', description: 'Somebody works on it' },
  { name: 'in review', color: '#bf3989', description: 'Waits for a colleague' },
]

const FASTER_MAP = 'A map that follows the finger'
const OFFLINE_MAPS = 'Maps without a connection'

/** @type {IssuePlan[]} */
const ISSUES = [
  {
    project: 'atlas/api',
    by: 'noah',
    title: 'Document the error codes of the search',
    hours: 70,
    labels: ['documentation', 'good first issue'],
    description: 'The client guesses what `E42` means. A table in the handbook would help.',
  },
  {
    project: 'atlas/api',
    by: 'chloe',
    title: 'Tiles at the date line are requested twice',
    hours: 66,
    labels: ['bug', 'performance', 'doing'],
    epic: FASTER_MAP,
    assignees: ['jonas'],
    milestone: 'Autumn release',
    due: 2,
    weight: 3,
    estimate: '1d 4h',
    spent: '6h',
    emoji: ['tomasz', 'aiko', 'lena'],
    description: `When the map shows both sides of the date line, each tile there is requested twice, once with \`x = 0\` and once with \`x = 2^z\`.

## How to see it

1. Open the map at \`#4/0/180\`
2. Look at the requests

## What is to do

- [x] Reproduce it in a test
- [x] Normalize \`x\` in the handler
- [ ] Count the requests that the cache answers
- [ ] Tell the mobile team

\`\`\`go
x = ((x % n) + n) % n
\`\`\`
`,
    comments: [
      {
        by: 'jonas',
        body: 'I can reproduce it. The handler takes `x` as it comes, and the cache has two keys for one tile.',
        emoji: [
          ['thumbsup', 'chloe'],
          ['eyes', 'tomasz'],
        ],
        replies: [
          { by: 'chloe', body: 'Is that also why the cache is so much larger since spring?' },
          { by: 'jonas', body: 'Probably. @tomasz, can you look at the numbers of last month?' },
          {
            by: 'tomasz',
            body: '> look at the numbers\n\n**11 %** of the keys are duplicates. I will add a metric.',
          },
        ],
      },
      { by: 'aiko', body: 'The web client can avoid it too, but other clients do the same.', after: 12 },
      {
        by: 'dimitri',
        body: 'The duplicates count against the quota of our customers. Let us not announce that before it is fixed.',
        internal: true,
        after: 20,
      },
    ],
  },
  {
    project: 'atlas/api',
    by: 'jonas',
    title: 'Normalize x before the cache is asked',
    hours: 50,
    labels: ['bug'],
    epic: FASTER_MAP,
    assignees: ['jonas', 'tomasz'],
    milestone: 'Autumn release',
    isClosed: true,
    description: 'A part of the problem at the date line, which can be released on its own.',
    comments: [
      { by: 'tomasz', body: 'Measured on staging: 9 % fewer requests. 🎉', emoji: [['tada', 'jonas']] },
    ],
  },
  {
    project: 'atlas/api',
    by: 'dimitri',
    title: 'Tokens of deleted accounts are accepted for an hour',
    hours: 40,
    labels: ['bug', 'in review'],
    assignees: ['tomasz'],
    confidential: true,
    due: -1,
    weight: 8,
    description: 'The cache of the gateway keeps them. Whoever leaves the company can read for another hour.',
    comments: [
      { by: 'tomasz', body: 'The gateway can listen to the same event as the mailer. Two days of work.' },
    ],
  },
  {
    project: 'atlas/api',
    by: 'aiko',
    title: 'Elevation profiles along a route',
    hours: 36,
    labels: ['feature', 'needs design'],
    epic: OFFLINE_MAPS,
    milestone: 'Winter release',
    weight: 13,
    description:
      'Hikers ask for it most often. `GET /routes/:id/elevation` with one height per 50 m would do.',
    emoji: ['lena', 'rafael', 'ingrid', 'samuel'],
    comments: [
      { by: 'rafael', body: 'We need it on phones without a connection as well, so please not too large.' },
      { by: 'samuel', body: '@root, do we have room for 200 GB of heights?', after: 4 },
    ],
  },
  {
    project: 'atlas/api',
    by: 'tomasz',
    title: 'Search is slow for names with many accents',
    hours: 30,
    labels: ['performance', 'doing'],
    epic: FASTER_MAP,
    assignees: ['chloe'],
    description: '`Þingvellir` takes 900 ms, `Thingvellir` 20 ms.',
  },
  {
    project: 'atlas/api',
    by: 'samuel',
    title: 'Release notes name the people who reported a problem',
    hours: 22,
    labels: ['documentation'],
    isClosed: true,
  },
  {
    project: 'atlas/web',
    by: 'lena',
    title: 'The night theme forgets the color of trails',
    hours: 28,
    labels: ['bug'],
    assignees: ['aiko'],
    due: 1,
    description:
      'After a reload, trails are black on black.\n\n- [ ] Keep the color\n- [ ] Check the contrast',
    comments: [{ by: 'aiko', body: 'Customers have noticed. @root, can it go out today?' }],
  },
  {
    project: 'atlas/web',
    by: 'noah',
    title: 'Keyboard shortcuts for zooming',
    hours: 16,
    labels: ['feature', 'good first issue'],
  },
  {
    project: 'platform/infrastructure',
    by: 'mira',
    title: 'Renew the certificates of the staging cluster',
    hours: 10,
    assignees: ['mira', 'dimitri'],
    due: 3,
  },
]

/**
 * Plans the issues of the past.
 * @param {object} options
 * @param {import('./company.mjs').Company} options.company
 * @param {import('./simulation.mjs').Simulation} options.simulation
 * @param {number} options.begin of the past
 * @param {number} options.end of the past
 */
export function planIssues({ company, simulation, begin, end }) {
  /** @type {Map<string, number>} by title */
  const milestones = new Map()
  /** @type {Map<string, number>} by title */
  const epics = new Map()
  simulation.at(begin, async () => {
    const group = `/groups/${company.groupIds.get('atlas')}`
    /** @type {number[]} */
    const labels = []
    for (const label of LABELS) labels.push((await company.api.post(`${group}/labels`, label)).id)
    await addBoards(company, labels.slice(-2))
    await addEpics(company, epics, { begin, end })
    await company.api.post(`/projects/${company.project('atlas/api').id}/milestones`, {
      title: 'Smaller tiles',
      description: 'A tile has **40 KB** at most.\n\n- [ ] Measured\n- [ ] Agreed with the mobile team',
      start_date: dayOf(begin),
      due_date: dayOf(end + 30 * DAY),
    })
    for (const [title, days] of /** @type {const} */ ([
      ['Autumn release', 12],
      ['Winter release', 80],
    ])) {
      const { id } = await company.api.post(`${group}/milestones`, {
        title,
        start_date: dayOf(begin),
        due_date: dayOf(end + days * DAY),
      })
      milestones.set(title, id)
    }
  })
  for (const plan of ISSUES) {
    const time = Math.max(begin + HOUR, end - plan.hours * HOUR)
    simulation.at(time, () => addIssue({ company, simulation, milestones, epics, end }, plan))
  }
}

/** @param {import('./company.mjs').Company} company @param {number[]} labels IDs, of the lists */
async function addBoards(company, labels) {
  const project = company.project('atlas/api').id
  for (const owner of [`/projects/${project}`, `/groups/${company.groupIds.get('atlas')}`]) {
    const board = await company.api.post(`${owner}/boards`, { name: 'Development' })
    for (const label_id of labels) await company.api.post(`${owner}/boards/${board.id}/lists`, { label_id })
  }
}

/**
 * @param {import('./company.mjs').Company} company
 * @param {Map<string, number>} epics IDs, by title
 * @param {{ begin: number, end: number }} past
 */
async function addEpics(company, epics, { begin, end }) {
  const group = company.groupIds.get('atlas')
  const path = `/groups/${group}/epics`
  const plans = [
    {
      title: FASTER_MAP,
      description: 'Each part of the map is there within **100 ms**, also at the date line.',
      start_date: dayOf(begin),
      due_date: dayOf(end + 20 * DAY),
    },
    { title: OFFLINE_MAPS, description: 'Hikers load a region before they leave.' },
  ]
  for (const plan of plans) epics.set(plan.title, (await company.api.post(path, plan)).id)
  await company.api.post(`${path}/1/epics`, { title: 'Tiles of 40 KB' })
  await company.api.post(`${path}/1/related_epics`, { target_group_id: group, target_epic_iid: 2 })
  const body = 'The figures of this week are in the *handbook*.'
  await company.api.post(`${path}/${epics.get(FASTER_MAP)}/notes`, { body })
}

/**
 * @param {{ company: import('./company.mjs').Company, simulation: import('./simulation.mjs').Simulation, milestones: Map<string, number>, epics: Map<string, number>, end: number }} place
 * @param {IssuePlan} plan
 */
async function addIssue({ company, simulation, milestones, epics, end }, plan) {
  const { id } = company.project(plan.project)
  const author = company.as(plan.by)
  const issues = `/projects/${id}/issues`
  const { iid } = /** @type {{ iid: number }} */ (
    /** @type {unknown} */ (
      await author.post(issues, {
        title: plan.title,
        description: plan.description ?? '',
        confidential: plan.confidential ?? false,
      })
    )
  )
  const path = `${issues}/${iid}`
  const planned = {
    ...(plan.labels && { add_labels: plan.labels }),
    ...(plan.assignees && { assignee_ids: plan.assignees.map((name) => company.person(name).id) }),
    ...(plan.milestone && { milestone_id: milestones.get(plan.milestone) }),
    ...(plan.due !== undefined && { due_date: dayOf(end + plan.due * DAY) }),
    ...(plan.weight !== undefined && { weight: plan.weight }),
  }
  const owner = company.as(company.project(plan.project).plan.owner)
  if (Object.keys(planned).length > 0) await owner.put(path, planned)
  if (plan.epic) await company.api.put(path, { epic_id: epics.get(plan.epic) })
  if (plan.estimate) await owner.post(`${path}/time_estimate`, { duration: plan.estimate })
  if (plan.spent) await owner.post(`${path}/add_spent_time`, { duration: plan.spent })
  for (const name of plan.emoji ?? [])
    await company.as(name).post(`${path}/award_emoji`, { name: 'thumbsup' })
  let after = 1
  for (const comment of plan.comments ?? []) {
    after = comment.after ?? after + 1
    simulation.at(Math.min(end - HOUR / 2, simulation.now + after * HOUR), () =>
      addComment(company, path, comment),
    )
  }
  if (plan.isClosed)
    simulation.at(Math.min(end - HOUR / 4, simulation.now + (after + 2) * HOUR), () =>
      owner.put(path, { state_event: 'close' }),
    )
}

/** @param {import('./company.mjs').Company} company @param {string} path @param {CommentPlan} plan */
async function addComment(company, path, plan) {
  const discussion = /** @type {{ id: string, notes: { id: number }[] }} */ (
    /** @type {unknown} */ (
      plan.internal
        ? {
            id: '',
            notes: [await company.as(plan.by).post(`${path}/notes`, { body: plan.body, internal: true })],
          }
        : await company.as(plan.by).post(`${path}/discussions`, { body: plan.body })
    )
  )
  for (const { by, body } of plan.replies ?? [])
    await company.as(by).post(`${path}/discussions/${discussion.id}/notes`, { body })
  for (const [name, by] of plan.emoji ?? [])
    await company.as(by).post(`${path}/notes/${discussion.notes[0]?.id}/award_emoji`, { name })
}

/** @param {number} time */
function dayOf(time) {
  return new Date(time).toISOString().slice(0, 10)
}
