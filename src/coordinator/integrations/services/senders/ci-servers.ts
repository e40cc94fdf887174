import { ZERO_ID } from '../../../../git/names.js'
import { escapeMarkup } from '../../../../lib/escape-markup.js'
import { branchIn } from '../branch-in.js'
import type { Fields } from '../fields.js'
import { basic } from '../settings.js'
import type { Happening, Sender } from './sender.js'

/** The payload of the webhook, to the address of the webhook. */
export const payload: Sender = { send: (happening) => [{ kind: 'payload', body: happening.payload }] }

/** Queues a build of the branch. */
export const teamcity: Sender = {
  send: async (happening) => {
    const { event, settings } = happening
    if (!(await isBuilt(happening))) return []
    const isPush = event.text('object_kind') === 'push'
    const branch = isPush ? (branchIn(event) ?? '') : event.at('object_attributes').text('source_branch')
    const build = `<buildType id="${escapeMarkup(settings.text('build_type'))}"/>`
    return [
      {
        kind: 'request',
        method: 'POST',
        url: `${settings.base('teamcity_url')}/httpAuth/app/rest/buildQueue`,
        headers: {
          'Content-Type': 'application/xml',
          ...basic(settings.text('username'), settings.text('password')),
        },
        body: `<build branchName="${escapeMarkup(branch)}">${build}</build>`,
      },
    ]
  },
}

/** Builds the plan, which finds the branches itself. */
export const bamboo: Sender = {
  send: ({ event, settings }) => {
    if (event.text('after') === ZERO_ID) return []
    const query = `buildKey=${settings.encoded('build_key')}&os_authType=basic`
    return [
      {
        kind: 'request',
        method: 'GET',
        url: `${settings.base('bamboo_url')}/updateAndBuild.action?${query}`,
        headers: basic(settings.text('username'), settings.text('password')),
      },
    ]
  },
}

/** The payload of the webhook, to the address of the project at Drone. */
export const drone: Sender = {
  send: async (happening) => {
    const { event, settings } = happening
    if (!(await isBuilt(happening))) return []
    const path = event.at('project').text('path_with_namespace')
    const at = path.lastIndexOf('/')
    const owner = encodeURIComponent(path.slice(0, at))
    const name = encodeURIComponent(path.slice(at + 1))
    const query = `owner=${owner}&name=${name}&access_token=${settings.encoded('token')}`
    return [{ kind: 'payload', body: happening.payload, url: `${settings.base('drone_url')}/hook?${query}` }]
  },
}

/**
 * Whether an event requires a build: tags, new commits of branches without a merge request, and those of merge
 * requests. So a commit is built once, unless the integration does not get merge requests.
 */
async function isBuilt({ event, wants, facts, purpose }: Happening): Promise<boolean> {
  const kind = event.text('object_kind')
  if (kind === 'merge_request') return hasNewCommits(event.at('object_attributes'))
  if (event.text('after') === ZERO_ID) return false
  const branch = branchIn(event)
  if (branch === undefined || purpose === 'test') return true
  if (Number(event.text('total_commits_count')) === 0) return false
  return !(wants('merge_requests_events') && (await facts.hasMergeRequest(branch)))
}

function hasNewCommits(request: Fields): boolean {
  const action = request.text('action')
  if (action === 'update') return request.has('oldrev')
  return action === 'open' || action === 'reopen'
}
