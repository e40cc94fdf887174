import { type Operation, operation } from '../../http/operation.js'
import { type AttentionDeps, readAttention } from './attention.js'
import { Attention } from './schema.js'

/** What waits for the caller. Beyond the reference. */
export function attentionOperations(deps: AttentionDeps): Operation[] {
  return [
    operation('GET /user/attention', {
      summary:
        'List what waits for the current user: reviews, merge requests, to-do items, manual jobs, failures',
      access: 'user',
      responses: { 200: Attention },
      cacheable: true,
      run: ({ user }) => readAttention(deps, user),
    }),
  ]
}
