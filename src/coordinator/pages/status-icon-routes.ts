import type { FastifyInstance } from 'fastify'

import { statusIcon } from './status-icon.js'

/** Pictures of statuses for the tabs of browsers, at the addresses that `favicon` of detailed statuses names. */
export function statusIconRoutes(): (app: FastifyInstance) => void {
  return (app) => {
    app.get<{ Params: { file: string } }>('/assets/ci_favicons/:file', (request, reply) => {
      const status = /^favicon_status_([a-z_]+)\.png$/.exec(request.params.file)?.[1]
      const picture = status === undefined ? undefined : statusIcon(status)
      if (!picture) {
        reply.callNotFound()
        return
      }
      return reply
        .type('image/png')
        .headers({ 'cache-control': 'public, max-age=86400', 'cross-origin-resource-policy': 'cross-origin' })
        .send(picture)
    })
  }
}
