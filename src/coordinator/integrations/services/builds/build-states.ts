import { isRecord } from '../../../../lib/is-record.js'
import type { ReportedState } from '../../../database/tables/commit-statuses.js'
import { Fields } from '../fields.js'
import type { Format } from '../kinds.js'
import { basic, type Settings } from '../settings.js'

/** A commit that a CI server builds. */
interface BuiltCommit {
  sha: string
  /** Full path of the project. */
  fullPath: string
}

/** What a CI server says about a commit. */
export interface BuildState {
  state: ReportedState
  /** Page of the build. */
  url: string
}

/** The request to a CI server for the state of a commit. */
interface BuildServer {
  /** Undefined if the settings do not allow it. */
  lookup: (settings: Settings, commit: BuiltCommit) => Lookup | undefined
  /** Undefined if the server has no build of the commit, or does not report its state. */
  read: (response: unknown, settings: Settings, commit: BuiltCommit) => BuildState | undefined
}

interface Lookup {
  url: string
  headers: Record<string, string>
}

const JSON_RESPONSE = { Accept: 'application/json' }

/** The newest build of the commit by the build configuration, whatever its branch and state. */
const teamcity: BuildServer = {
  lookup: (settings, { sha }) => {
    const locator = [
      `buildType:(id:${settings.text('build_type')})`,
      `revision:(version:${sha})`,
      'branch:(default:any)',
      'state:any',
      'defaultFilter:false',
      'count:1',
    ].join(',')
    const query = `locator=${encodeURIComponent(locator)}&fields=${encodeURIComponent('build(id,state,status,webUrl)')}`
    return {
      url: `${settings.base('teamcity_url')}/httpAuth/app/rest/builds?${query}`,
      headers: { ...JSON_RESPONSE, ...accountOf(settings) },
    }
  },
  read: (response, settings) => {
    const [build] = new Fields(response).list('build')
    const state = build && stateAtTeamcity(build)
    const page = `${settings.base('teamcity_url')}/viewLog.html?buildId=${build?.text('id') ?? ''}`
    return state && { state, url: build.text('webUrl') || page }
  },
}

function stateAtTeamcity(build: Fields): ReportedState | undefined {
  const state = build.text('state')
  if (state === 'queued') return 'pending'
  return state === 'running' ? 'running' : TEAMCITY_RESULTS[build.text('status')]
}

const TEAMCITY_RESULTS: Readonly<Record<string, ReportedState>> = {
  SUCCESS: 'success',
  FAILURE: 'failed',
  ERROR: 'failed',
  // Of builds that were canceled.
  UNKNOWN: 'canceled',
}

/** The newest result of the plan, or of a branch of it. */
const bamboo: BuildServer = {
  lookup: (settings, { sha }) => ({
    url: `${settings.base('bamboo_url')}/rest/api/latest/result/byChangeset/${sha}?includeAllStates=true&os_authType=basic`,
    headers: { ...JSON_RESPONSE, ...accountOf(settings) },
  }),
  read: (response, settings) => {
    const results = new Fields(response).at('results')
    // Some versions have the list one level deeper, and a single result without a list.
    const place = results.has('result') ? results : results.at('results')
    const listed = place.list('result')
    const all = listed.length > 0 ? listed : [place.at('result')]
    const ofPlan = all
      .map((result) => ({ result, key: result.at('planResultKey').text('key') || result.text('key') }))
      .filter(({ key }) => key.startsWith(settings.text('build_key')))
      .toSorted((one, other) => numberIn(one.key) - numberIn(other.key))
    const newest = ofPlan.at(-1)
    const state = newest && stateAtBamboo(newest.result)
    return state && { state, url: `${settings.base('bamboo_url')}/browse/${encodeURIComponent(newest.key)}` }
  },
}

function stateAtBamboo(result: Fields): ReportedState | undefined {
  const outcome = result.text('buildState') || result.text('state')
  if (outcome.includes('Success')) return 'success'
  if (outcome.includes('Failed')) return 'failed'
  return BAMBOO_STAGES[result.text('lifeCycleState')] ?? (outcome.includes('Pending') ? 'pending' : undefined)
}

const BAMBOO_STAGES: Readonly<Record<string, ReportedState>> = {
  Pending: 'pending',
  Queued: 'pending',
  InProgress: 'running',
  NotBuilt: 'canceled',
  Finished: 'canceled',
}

/** The number of a build, at the end of its key. */
function numberIn(key: string): number {
  return Number(/-(\d+)$/.exec(key)?.[1] ?? 0)
}

/** The newest of the last builds of the commit. */
const drone: BuildServer = {
  lookup: (settings, { fullPath }) => ({
    url: `${settings.base('drone_url')}/api/repos/${atDrone(fullPath)}/builds?per_page=100`,
    headers: { ...JSON_RESPONSE, Authorization: `Bearer ${settings.text('token')}` },
  }),
  read: (response, settings, { sha, fullPath }) => {
    const builds = (Array.isArray(response) ? response : []).map((build) => new Fields(build))
    const newest = builds
      .filter((build) => build.text('after') === sha)
      .toSorted((one, other) => Number(one.text('number')) - Number(other.text('number')))
      .at(-1)
    const state = newest && DRONE_STATES[newest.text('status')]
    return (
      state && { state, url: `${settings.base('drone_url')}/${atDrone(fullPath)}/${newest.text('number')}` }
    )
  },
}

const DRONE_STATES: Readonly<Record<string, ReportedState>> = {
  pending: 'pending',
  blocked: 'pending',
  waiting_on_dependencies: 'pending',
  running: 'running',
  success: 'success',
  skipped: 'success',
  failure: 'failed',
  error: 'failed',
  declined: 'failed',
  killed: 'canceled',
}

/** Owner and name, as in the address of events. */
function atDrone(fullPath: string): string {
  const at = fullPath.lastIndexOf('/')
  return `${encodeURIComponent(fullPath.slice(0, at))}/${encodeURIComponent(fullPath.slice(at + 1))}`
}

/** Needs the second token of the settings, after a colon. */
const buildkite: BuildServer = {
  lookup: (settings, { sha }) => {
    const [, token = ''] = settings.text('token').split(':')
    if (token === '') return undefined
    const url = `https://gitlab.buildkite.com/status/${encodeURIComponent(token)}.json?commit=${sha}`
    return { url, headers: JSON_RESPONSE }
  },
  read: (response, settings, { sha }) => {
    const state = isRecord(response) ? BUILDKITE_STATES[new Fields(response).text('status')] : undefined
    return state && { state, url: `${settings.base('project_url')}/builds?commit=${sha}` }
  },
}

const BUILDKITE_STATES: Readonly<Record<string, ReportedState>> = {
  pending: 'pending',
  scheduled: 'pending',
  running: 'running',
  success: 'success',
  passed: 'success',
  failed: 'failed',
  canceled: 'canceled',
}

function accountOf(settings: Settings): Record<string, string> {
  return basic(settings.text('username'), settings.text('password'))
}

/** The CI servers that are asked, by the format of their events. */
export const BUILD_SERVERS: Partial<Record<Format, BuildServer>> = { teamcity, bamboo, drone, buildkite }
