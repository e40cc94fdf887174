import { expect, test } from 'vitest'

import { openSqlite } from '../../support/databases.js'
import { IS_NIGHTLY, sampled } from '../../support/nightly.js'
import type { Person } from '../support/test-app.js'
import { openPlanningScene } from './support/planning-scene.js'

/** Levels of the callers; 0 = a user who is no member, -1 = nobody. */
const CALLERS = {
  anonymous: -1,
  stranger: 0,
  guest: 10,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
}
type Caller = keyof typeof CALLERS
const VISIBILITIES = ['private', 'internal', 'public'] as const

interface Place {
  visibility: (typeof VISIBILITIES)[number]
  feature: 'disabled' | 'private' | 'enabled'
}

interface Cell extends Place {
  level: number
}

/** Ordered so that a sample of five has each visibility and each feature level. */
const PLACES: Place[] = [
  { visibility: 'private', feature: 'enabled' },
  { visibility: 'internal', feature: 'private' },
  { visibility: 'private', feature: 'private' },
  { visibility: 'public', feature: 'enabled' },
  { visibility: 'internal', feature: 'enabled' },
  { visibility: 'public', feature: 'private' },
  { visibility: 'public', feature: 'disabled' },
  { visibility: 'internal', feature: 'disabled' },
  { visibility: 'private', feature: 'disabled' },
]

/** Whether the caller sees the project. */
function sees({ visibility, level }: Cell): boolean {
  return level >= 10 || visibility === 'public' || (visibility === 'internal' && level >= 0)
}

/** Whether the feature is there for the caller. */
function has(cell: Cell): boolean {
  return sees(cell) && (cell.feature === 'enabled' || (cell.feature === 'private' && cell.level >= 10))
}

/** Whether the caller reads code: visitors do where the project is open, guests only there. */
function readsCode({ visibility, level }: Cell): boolean {
  return level >= 20 || (visibility !== 'private' && sees({ visibility, level, feature: 'enabled' }))
}

const isSignedIn = ({ level }: Cell) => level >= 0
const from = (level: number) => (cell: Cell) => has(cell) && cell.level >= level

/**
 * Each role includes those below it. Besides the callers that a project treats in a way of their own, those on both sides
 * of each border between roles show where it is; all others are tried in the nightly run.
 */
function callersFor(isAllowed: (cell: Cell) => boolean, place: Place): Caller[] {
  const callers = Object.keys(CALLERS) as Caller[]
  const allowed = callers.map((name) => isAllowed({ ...place, level: CALLERS[name] }))
  const isAtBorder = (at: number) =>
    [at - 1, at + 1].some((other) => allowed[other] !== undefined && allowed[other] !== allowed[at])
  return callers.filter((name, at) => IS_NIGHTLY || CALLERS[name] <= 10 || isAtBorder(at))
}

/** What callers do with the issues and merge requests of others, and who may (API, A15). */
const ACTIONS: [request: string, body: object | undefined, isAllowed: (cell: Cell) => boolean][] = [
  ['GET issues', undefined, has],
  ['GET issues/1', undefined, has],
  ['GET issues/1/notes', undefined, has],
  ['GET issues/1/discussions', undefined, has],
  ['GET issues/2', undefined, from(20)],
  ['POST issues', { title: 'x' }, (cell) => has(cell) && isSignedIn(cell)],
  ['POST issues', { title: 'x', confidential: true }, (cell) => has(cell) && isSignedIn(cell)],
  ['POST issues/1/notes', { body: 'x' }, (cell) => has(cell) && isSignedIn(cell)],
  ['POST issues/1/notes', { body: 'x', internal: true }, from(20)],
  ['PUT issues/1', { title: 'y' }, from(20)],
  ['PUT issues/1', { add_labels: 'bug' }, from(20)],
  ['PUT issues/1', { assignee_ids: [1] }, from(20)],
  ['PUT issues/1', { state_event: 'close' }, from(20)],
  ['POST issues/1/time_estimate', { duration: '1h' }, from(20)],
  ['DELETE issues/99', undefined, from(50)],
  ['GET merge_requests', undefined, (cell) => has(cell) && readsCode(cell)],
  ['GET merge_requests/1', undefined, (cell) => has(cell) && readsCode(cell)],
  ['GET merge_requests/1/approvals', undefined, (cell) => has(cell) && readsCode(cell)],
  ['POST merge_requests/1/notes', { body: 'x' }, (cell) => has(cell) && readsCode(cell) && isSignedIn(cell)],
  ['POST merge_requests', { source_branch: 'b', target_branch: 'main', title: 'x' }, from(30)],
  ['PUT merge_requests/1', { title: 'y' }, from(30)],
  ['PUT merge_requests/1/reset_approvals', undefined, from(30)],
  ['DELETE merge_requests/99', undefined, from(50)],
  ['GET labels', undefined, has],
  ['GET milestones', undefined, has],
  ['POST labels', { name: 'new', color: '#fff' }, from(20)],
  ['POST milestones', { title: 'new' }, from(20)],
]

/** Refusals of the permission; other statuses are about what is asked. */
const REFUSED = new Set([401, 403])

test('who sees and changes what depends on role, visibility and feature level, for every action', async () => {
  const { ok, call, person, root, group } = await openPlanningScene(openSqlite)
  const people = new Map<Caller, Person | null>([['anonymous', null]])
  for (const name of Object.keys(CALLERS)) {
    if (name !== 'anonymous') people.set(name as Caller, await person(name))
  }
  const deviations: string[] = []
  const places = sampled(PLACES, 5)
  for (const visibility of VISIBILITIES) {
    const body = { name: `p-${visibility}`, namespace_id: group, visibility }
    const { id } = await ok('POST /projects', body)
    const P = `/projects/${id}`
    for (const [name, level] of Object.entries(CALLERS)) {
      const user_id = people.get(name as Caller)?.id
      if (level > 0) await ok(`POST ${P}/members`, { user_id, access_level: level })
    }
    await ok(`POST ${P}/issues`, { title: 'a' })
    await ok(`POST ${P}/issues`, { title: 'b', confidential: true })
    await ok(`POST ${P}/merge_requests`, { source_branch: 'a', target_branch: 'main', title: 'a' })
    for (const { feature } of places.filter((place) => place.visibility === visibility)) {
      const levels = { issues_access_level: feature, merge_requests_access_level: feature }
      await ok(`PUT ${P}`, levels, root)
      for (const [request, given, isAllowed] of ACTIONS) {
        const [method = '', path = ''] = request.split(' ')
        for (const name of callersFor(isAllowed, { visibility, feature })) {
          const cell = { visibility, feature, level: CALLERS[name] }
          const [status, response] = await call(`${method} ${P}/${path}`, given, people.get(name) ?? null)
          const isHidden = status === 404 && !path.endsWith('/99')
          const isMissing = JSON.stringify(response).includes('Project Not Found')
          const wasAllowed = !REFUSED.has(status) && !isHidden && !isMissing
          if (wasAllowed !== isAllowed(cell)) {
            deviations.push(
              `${name}, ${visibility}, ${feature}: ${request} ${JSON.stringify(given)} is ${status}`,
            )
          }
          if (!sees(cell) && ![401, 404].includes(status)) deviations.push(`${request} shows the project`)
        }
      }
    }
  }
  expect(deviations).toEqual([])
}, 60_000)
