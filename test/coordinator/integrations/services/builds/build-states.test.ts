import { describe, expect, test } from 'vitest'

import { BUILD_SERVERS } from '../../../../../src/coordinator/integrations/services/builds/build-states.js'
import { Settings } from '../../../../../src/coordinator/integrations/services/settings.js'

const SHA = 'a'.repeat(40)
const COMMIT = { sha: SHA, fullPath: 'team/tools/app' }
const ACCOUNT = { username: 'ci', password: 'p:w' }
const BASIC = `Basic ${Buffer.from('ci:p:w').toString('base64')}`

/** The request, and a function from responses to states. */
function server(format: 'teamcity' | 'bamboo' | 'drone' | 'buildkite', values: Record<string, unknown>) {
  const settings = new Settings(values)
  const of = BUILD_SERVERS[format]
  if (!of) throw new Error('no such server')
  return {
    lookup: of.lookup(settings, COMMIT),
    stateOf: (response: unknown) => of.read(response, settings, COMMIT)?.state,
    read: (response: unknown) => of.read(response, settings, COMMIT),
  }
}

describe('the state of builds', () => {
  test('at TeamCity is that of the newest build of the revision', () => {
    const { lookup, stateOf, read } = server('teamcity', {
      ...ACCOUNT,
      teamcity_url: 'https://ci.example.com/',
      build_type: 'App_Build',
    })
    const url = new URL(lookup?.url ?? '')
    expect(`${url.origin}${url.pathname}`).toBe('https://ci.example.com/httpAuth/app/rest/builds')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      locator: `buildType:(id:App_Build),revision:(version:${SHA}),branch:(default:any),state:any,defaultFilter:false,count:1`,
      fields: 'build(id,state,status,webUrl)',
    })
    expect(lookup?.headers).toEqual({ Accept: 'application/json', Authorization: BASIC })
    const build = (state: string, status?: string) => ({ build: [{ id: 7, state, status }] })
    expect(stateOf({ count: 0 })).toBeUndefined()
    expect(stateOf(build('queued'))).toBe('pending')
    expect(stateOf(build('running', 'FAILURE'))).toBe('running')
    expect(stateOf(build('finished', 'FAILURE'))).toBe('failed')
    expect(stateOf(build('finished', 'UNKNOWN'))).toBe('canceled')
    expect(stateOf(build('finished', 'NEW'))).toBeUndefined()
    expect(read(build('finished', 'SUCCESS'))).toEqual({
      state: 'success',
      url: 'https://ci.example.com/viewLog.html?buildId=7',
    })
    const webUrl = 'https://ci.example.com/buildConfiguration/App_Build/7'
    expect(read({ build: [{ id: 7, state: 'finished', status: 'SUCCESS', webUrl }] })?.url).toBe(webUrl)
  })

  test('at Bamboo is that of the newest result of the plan', () => {
    const { lookup, stateOf, read } = server('bamboo', {
      ...ACCOUNT,
      bamboo_url: 'https://bamboo.example.com',
      build_key: 'APP-MAIN',
    })
    expect(lookup).toEqual({
      url: `https://bamboo.example.com/rest/api/latest/result/byChangeset/${SHA}?includeAllStates=true&os_authType=basic`,
      headers: { Accept: 'application/json', Authorization: BASIC },
    })
    const result = (buildState: string, lifeCycleState: string, key = 'APP-MAIN-3') => ({
      planResultKey: { key },
      buildState,
      lifeCycleState,
    })
    const planResults = (...all: object[]) => ({ results: { size: all.length, result: all } })
    expect(stateOf(planResults())).toBeUndefined()
    expect(stateOf(planResults(result('Unknown', 'Queued')))).toBe('pending')
    expect(stateOf(planResults(result('Unknown', 'InProgress')))).toBe('running')
    expect(stateOf(planResults(result('Unknown', 'NotBuilt')))).toBe('canceled')
    expect(
      stateOf(planResults(result('Failed', 'Finished'), result('Successful', 'Finished', 'OTHER-MAIN-9'))),
    ).toBe('failed')
    const two = planResults(
      result('Failed', 'Finished', 'APP-MAIN-9'),
      result('Successful', 'Finished', 'APP-MAIN-10'),
    )
    expect(read(two)).toEqual({ state: 'success', url: 'https://bamboo.example.com/browse/APP-MAIN-10' })
    // A single result, one level deeper.
    expect(stateOf({ results: { results: { size: '1', result: result('Successful', 'Finished') } } })).toBe(
      'success',
    )
  })

  test('at Drone is that of the newest build of the commit', () => {
    const { lookup, stateOf, read } = server('drone', {
      drone_url: 'https://drone.example.com',
      token: 's3cret',
    })
    expect(lookup).toEqual({
      url: 'https://drone.example.com/api/repos/team%2Ftools/app/builds?per_page=100',
      headers: { Accept: 'application/json', Authorization: 'Bearer s3cret' },
    })
    const build = (number: number, status: string, after = SHA) => ({ number, status, after })
    expect(stateOf([])).toBeUndefined()
    expect(stateOf([build(3, 'success', 'b'.repeat(40))])).toBeUndefined()
    expect(stateOf([build(3, 'killed')])).toBe('canceled')
    expect(stateOf([build(3, 'waiting_on_dependencies')])).toBe('pending')
    expect(read([build(9, 'failure'), build(10, 'running')])).toEqual({
      state: 'running',
      url: 'https://drone.example.com/team%2Ftools/app/10',
    })
    expect(stateOf({ message: 'Not Found' })).toBeUndefined()
  })

  test('at Buildkite is known with the second token of the settings', () => {
    const values = { token: 'hook:st/atus', project_url: 'https://buildkite.com/org/app' }
    const { lookup, stateOf, read } = server('buildkite', values)
    expect(lookup?.url).toBe(`https://gitlab.buildkite.com/status/st%2Fatus.json?commit=${SHA}`)
    expect(server('buildkite', { ...values, token: 'hook' }).lookup).toBeUndefined()
    expect(read({ status: 'success' })).toEqual({
      state: 'success',
      url: `https://buildkite.com/org/app/builds?commit=${SHA}`,
    })
    expect(stateOf({ status: 'failed' })).toBe('failed')
    expect(stateOf({ status: 'unknown' })).toBeUndefined()
    expect(stateOf('down')).toBeUndefined()
  })
})
