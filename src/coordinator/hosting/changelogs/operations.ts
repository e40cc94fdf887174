import { Type } from 'typebox'

import { apiError } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { changerOf } from '../repositories/change/change-refs.js'
import { readingFor } from '../repositories/reading-for.js'
import { defaultRevision } from '../repositories/revisions.js'
import { commitChangelog } from './commit-changelog.js'
import { ChangelogError } from './errors.js'
import { type ChangelogDeps, generateSection } from './generate.js'
import { AddChangelog, Changelog, GetChangelog } from './schema.js'

/** Changelogs from the trailers of commits (API, E7). */
export function changelogOperations(deps: ChangelogDeps): Operation[] {
  return [
    operation('GET /projects/:id/repository/changelog', {
      summary: 'Generate the section of a changelog, without a commit',
      access: 'read_code',
      jobToken: true,
      params: GetChangelog,
      responses: { 200: Changelog },
      run: ({ params, ...call }) => {
        const reading = readingFor(deps.pushes, call)
        const to = params.to || defaultRevision(call.project)
        return explained(async () => ({
          notes: await generateSection(deps, { ...call, reading }, { ...params, to }),
        }))
      },
    }),
    operation('POST /projects/:id/repository/changelog', {
      summary: 'Commit the section of a version to a changelog',
      access: 'push_code',
      params: AddChangelog,
      responses: { 200: Type.Integer({ description: '200' }) },
      run: ({ params, ...call }) => {
        const reading = readingFor(deps.pushes, call)
        return explained(async () => {
          await commitChangelog(deps, { ...call, reading, changer: changerOf(call) }, params)
          return 200
        })
      },
    }),
  ]
}

/** Throws 422 with the reason if there can be no changelog. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ChangelogError)) throw error
    throw apiError('changelog_failed', { reason: error.message }, { cause: error })
  }
}
