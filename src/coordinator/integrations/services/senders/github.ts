import { ZERO_ID } from '../../../../git/names.js'
import type { Fields } from '../fields.js'
import type { Settings } from '../settings.js'
import { JSON_BODY, type Sender } from './sender.js'

/** Longest description that the API takes, in characters. */
const MAX_DESCRIPTION_LENGTH = 140
const STATES: Readonly<Record<string, string>> = {
  success: 'success',
  skipped: 'success',
  failed: 'failure',
  canceled: 'error',
}

/** The status of a pipeline, as a status of the commit. */
export const github: Sender = {
  send: ({ event, settings }) => {
    const pipeline = event.at('object_attributes')
    const repository = repositoryOf(settings)
    if (event.text('object_kind') !== 'pipeline' || !repository || pipeline.text('sha') === ZERO_ID) return []
    const status = {
      state: STATES[pipeline.text('status')] ?? 'pending',
      target_url: pipeline.text('url'),
      description: `Pipeline ${pipeline.text('detailed_status')} on Switchyard`.slice(
        0,
        MAX_DESCRIPTION_LENGTH,
      ),
      context: `ci/gitlab/${settings.flag('static_context') === false ? pipeline.text('ref') : hostOf(event)}`,
    }
    return [
      {
        kind: 'request',
        method: 'POST',
        url: `${repository.api}/repos/${repository.path}/statuses/${pipeline.text('sha')}`,
        headers: {
          ...JSON_BODY,
          Accept: 'application/vnd.github.v3+json',
          Authorization: `token ${settings.text('token')}`,
        },
        body: JSON.stringify(status),
      },
    ]
  },
}

function hostOf(event: Fields): string {
  return new URL(event.at('project').text('web_url')).host
}

/** The address of the API of a repository: `https://github.com/owner/name` has a host of its own for it. */
function repositoryOf(settings: Settings): { api: string; path: string } | undefined {
  const text = settings.text('repository_url')
  if (!URL.canParse(text)) return undefined
  const { origin, hostname, pathname } = new URL(text)
  const [owner, name] = pathname
    .replace(/\.git$/, '')
    .split('/')
    .filter((part) => part !== '')
  if (owner === undefined || name === undefined) return undefined
  const api = hostname === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`
  return { api, path: `${owner}/${name}` }
}
